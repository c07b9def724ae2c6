import { useEffect, useRef, useState } from 'react'
import { useConfirmLeave } from '../../ui/navigation/use-confirm-leave.ts'
import { Result } from './result.tsx'
import type { Secret } from './result-file.ts'
import { RunProgress } from './run-progress.tsx'
import type { PreviewRow } from './use-checked.ts'
import { type ResultRow, useRun, type Wanted } from './use-run.ts'

type RunProps = {
  rows: PreviewRow[]
  wanted: Wanted
  isWithPasswords: boolean
  /** Only super admins see imports. */
  isImportShown: boolean
  /** Goes back to the form, with the rows that were not added. */
  onMore: (rows: ResultRow[]) => void
}

/** Adds the users, and then shows what became of each. Loaded when it is needed. */
export function Run({ rows, wanted, isWithPasswords, isImportShown, onMore }: RunProps) {
  const [isSaved, setSaved] = useState(false)
  const { state, start, cancel, resume, end } = useRun()
  const secret = isWithPasswords ? (wanted.invite ? 'link' : 'password') : null
  const hasSecrets = state?.results.some(({ password }) => password !== null) ?? false
  const isRunning = state?.phase === 'running'
  useConfirmLeave((isRunning || (hasSecrets && !isSaved)) && questionOf(isRunning, secret, hasSecrets))

  const hasStarted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it starts once
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    void start(rows, wanted, isWithPasswords)
  }, [])

  if (!state) return null
  if (state.phase !== 'ended') return <RunProgress state={state} onCancel={cancel} onResume={resume} onEnd={end} />
  return (
    <Result
      state={state}
      secret={secret}
      isImportShown={isImportShown}
      onSaved={() => setSaved(true)}
      onMore={onMore}
    />
  )
}

/** Links that are sent by mail are not shown. */
function questionOf(isRunning: boolean, secret: Secret, hasSecrets: boolean) {
  const buttons = { action: 'Leave', cancel: 'Stay' }
  if (!isRunning) {
    const text = 'They are shown on this page only. Download the result to keep them.'
    return { title: `Leave without the ${secret}s?`, text, ...buttons }
  }
  const isLost = secret === 'password' || hasSecrets
  const text = `Those that are added already stay${isLost ? `, but you will not see their ${secret}s` : ''}.`
  return { title: 'Leave while users are being added?', text, ...buttons }
}
