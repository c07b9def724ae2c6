import { useQueryClient } from '@tanstack/react-query'
import { USERS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { UserOutcome, UserSettings, WrittenUser } from '@watchdesk/contract/user-row'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { randomKey } from '../../api/idempotency-key.ts'
import { filePassword } from './passwords.ts'
import { importUsers } from './queries.ts'
import type { PreviewRow } from './use-checked.ts'

/** Delays before a call is sent again. */
const RETRIES_MS = [1_000, 4_000]

export type ResultRow = {
  row: number
  written: WrittenUser
  email: string
  name: string
  /** Or the link to choose one. Null if the user was not added, or gets the link by mail. */
  password: string | null
  outcome: UserOutcome | 'cancelled' | 'not known'
  /** Of the server. The file has reasons for the others. */
  reason: string | null
}

/** Kept in memory only, because of the passwords. */
export type RunState = {
  phase: 'running' | 'failed' | 'ended'
  isCancelling: boolean
  isInvited: boolean
  total: number
  results: ResultRow[]
  import_id: number | undefined
  /** Why it stopped. It can be continued. */
  error?: string
  /** Whether the call that failed may have added its users. */
  isUncertain?: boolean
}

/** The password is empty for a user who is invited, and where nobody signs in with one. */
type Sent = PreviewRow & { password: string | undefined }
export type Wanted = UserSettings & { workspace_id: number; name: string | undefined; invite?: true | undefined }
type Work = { wanted: Wanted; rows: Sent[]; key: string }

/** Sends the rows in small calls, one after the other, so that it can be stopped. */
export function useRun() {
  const client = useQueryClient()
  const work = useRef<Work>(undefined)
  const isCancelled = useRef(false)
  const [state, setState] = useState<RunState>()

  function start(preview: PreviewRow[], wanted: Wanted, isWithPasswords: boolean) {
    // Someone may have deleted a user who had the email.
    const mayBeAdded = ({ outcome }: PreviewRow) => outcome === 'added' || outcome === 'email already exists'
    const isInvited = wanted.invite === true
    const newPassword = () => (isInvited || !isWithPasswords ? '' : filePassword())
    const rows = preview.map((row) => ({ ...row, password: mayBeAdded(row) ? newPassword() : undefined }))
    work.current = { wanted, rows, key: randomKey() }
    isCancelled.current = false
    return run({
      ...{ phase: 'running', isCancelling: false, isInvited, total: rows.length, results: [], import_id: undefined },
    })
  }

  /** Sends the call that failed again. It has the same key, so it adds nobody twice. */
  function resume() {
    if (!state) return
    const { error: _, isUncertain: __, ...rest } = state
    isCancelled.current = false
    return run({ ...rest, phase: 'running', isCancelling: false })
  }

  // After leaving the page, nobody would see the passwords.
  useEffect(() => {
    isCancelled.current = false
    return () => {
      isCancelled.current = true
    }
  }, [])

  /** The call that is under way ends first: it adds users, whose passwords would be lost. */
  function cancel() {
    isCancelled.current = true
    setState((now) => now && { ...now, isCancelling: true })
  }

  /** Also for one that failed: those that were added are kept. */
  function end() {
    setState((now) => now && { ...now, phase: 'ended', results: [...now.results, ...notSent(now)] })
  }

  async function run(from: RunState) {
    const { wanted, rows } = work.current ?? {}
    if (!work.current || !wanted || !rows) return
    let now = from
    setState(now)
    try {
      while (now.results.length < rows.length && !isCancelled.current) {
        const part = rows.slice(now.results.length, now.results.length + USERS_IN_A_CALL)
        const { import_id } = now
        const body = { ...wanted, import_id, rows_count: rows.length, rows: part.map(bodyOf) }
        const added = await withRetries(() => importUsers(body, work.current?.key ?? ''), isCancelled)
        work.current.key = randomKey()
        const results = part.map((row, index) => resultOf(row, added.rows[index]))
        now = { ...now, import_id: added.import_id, results: [...now.results, ...results] }
        const isCancelling = isCancelled.current
        setState({ ...now, isCancelling })
      }
      setState({ ...now, phase: 'ended', results: [...now.results, ...notSent(now)] })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      setState({ ...now, phase: 'failed', error: message, isUncertain: isPassing(error) })
    }
    const keys = ['users', 'workspaces', 'operations', 'activity']
    await Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })))
  }

  function notSent({ results, isUncertain }: RunState): ResultRow[] {
    const rest = work.current?.rows.slice(results.length) ?? []
    const sent = isUncertain ? USERS_IN_A_CALL : 0
    return rest.map((row, index) =>
      index < sent && row.password !== undefined
        ? { ...resultOf(row), password: row.password || null, outcome: 'not known', reason: null }
        : { ...resultOf(row), outcome: 'cancelled', reason: null },
    )
  }

  return { state, start, resume, cancel, end }
}

function bodyOf({ row, written, password }: Sent) {
  return { row, ...written, password: password || undefined }
}

type Answer = Awaited<ReturnType<typeof importUsers>>['rows'][number]

function resultOf({ row, written, person, password, outcome, reason }: Sent, answer?: Answer): ResultRow {
  const name = `${person.first_name} ${person.last_name}`.trim()
  const result = answer ?? { email: person.email, name, outcome, reason }
  const isAdded = answer?.outcome === 'added'
  const { email, name: stored, outcome: became, reason: why } = result
  return {
    row,
    written,
    email,
    name: stored,
    password: (isAdded && (answer.link ?? password)) || null,
    outcome: became,
    reason: why,
  }
}

/** A server that is busy or cannot be reached may answer a moment later. */
function isPassing(error: unknown) {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

async function withRetries<Result>(send: () => Promise<Result>, isCancelled: { current: boolean }) {
  for (const delay of RETRIES_MS) {
    try {
      return await send()
    } catch (error) {
      if (!isPassing(error) || isCancelled.current) throw error
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
  return send()
}
