import { useEffect, useRef, useState } from 'react'
import { Result } from './result.tsx'
import { RunProgress } from './run-progress.tsx'
import type { PreviewRow } from './use-checked.ts'
import { useConfirmLeave } from './use-confirm-leave.ts'
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

const QUESTIONS = {
  running: {
    title: 'Leave while users are being added?',
    text: 'Those that are added already stay, but you will not see their passwords.',
    action: 'Leave',
    cancel: 'Stay',
  },
  passwords: {
    title: 'Leave without the passwords?',
    text: 'They are shown on this page only. Download the result to keep them.',
    action: 'Leave',
    cancel: 'Stay',
  },
}

/** Adds the users, and then shows what became of each. Loaded when it is needed. */
export function Run({ rows, wanted, isWithPasswords, isImportShown, onMore }: RunProps) {
  const [isSaved, setSaved] = useState(false)
  const { state, start, cancel, resume, end } = useRun()
  const addedCount = state?.results.filter(({ password }) => password !== null).length ?? 0
  const hasPasswords = addedCount > 0 && !isSaved
  useConfirmLeave(state?.phase === 'running' ? QUESTIONS.running : hasPasswords && QUESTIONS.passwords)

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
      isWithPasswords={isWithPasswords}
      isImportShown={isImportShown}
      onSaved={() => setSaved(true)}
      onMore={onMore}
    />
  )
}
