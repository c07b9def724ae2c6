import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Actor } from '../actor.ts'
import { isInUse } from './access.ts'
import type { SystemDb, Trx } from './open.ts'

/** The owner may not do this any more. The message is shown to users. */
export class JobRefused extends Error {}

const CANCEL_MS = 100

type Owner = Pick<Actor, 'id' | 'name' | 'email' | 'workspace_id'>

/** Throws unless the owner still is a super admin of a workspace in use. Workspaces are locked before users, as everywhere. */
export async function requireOwner(db: SystemDb | Trx, id: number, lock: RawBuilder<unknown> = sql``): Promise<Owner> {
  const { rows } = await sql<Owner>`select users.id, users.full_name as name, users.email, users.workspace_id
    from workspaces join users on users.workspace_id = workspaces.id
    where users.id = ${id} and users.deleted_at is null and users.is_super_admin
      and ${isInUse} ${lock}`.execute(db)
  const [owner] = rows
  if (owner) return owner
  throw new JobRefused(
    'The person who started this is no longer a super admin, or their workspace is not active. Nothing was saved.',
  )
}

/** After an abort, the statements of the transaction are cancelled until it has ended. */
export async function cancellable<Result>(trx: Trx, pool: Pool, signal: AbortSignal, work: () => Promise<Result>) {
  signal.throwIfAborted()
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
  const ended = new AbortController()
  const cancelling = cancelOnAbort()
  try {
    return await work()
  } finally {
    ended.abort()
    await cancelling
  }

  /** Repeatedly, because the abort can come between two statements. */
  async function cancelOnAbort() {
    if (!signal.aborted) await once(signal, 'abort', { signal: ended.signal }).catch(() => {})
    while (!ended.signal.aborted) {
      await pool.query('select pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => {})
      await wait(CANCEL_MS, undefined, { signal: ended.signal }).catch(() => {})
    }
  }
}
