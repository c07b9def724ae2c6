import { importUsers as endpoint, type UsersImport, type UsersImported } from '@watchdesk/contract/users-import'
import type { Actor } from '../../actor.ts'
import { type Call, earlierResponse, once } from '../../db/idempotency.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { Problem } from '../../problem.ts'
import type { Passwords } from '../session/passwords.ts'
import { checkCreate } from '../users/rules.ts'
import { needWorkspace } from '../users/store.ts'
import { addRows } from './add-rows.ts'
import { checkRows, type ImportedRow } from './check-rows.ts'
import { beginOrContinue, checkOpen } from './run.ts'

/** Adds the users of the next rows. All calls of one run belong to one import, which the first call creates. */
export async function importUsers(
  { db, rights, passwords }: Pick<Deps, 'db' | 'rights' | 'passwords'>,
  actor: Actor,
  body: UsersImport,
  key: string | undefined,
): Promise<UsersImported> {
  checkCreate(actor, { workspace_id: body.workspace_id, is_super_admin: false })
  await rights.check(actor)
  const call: Call = { name: `${endpoint.method} ${endpoint.url}`, key, request: withoutPasswords(body) }
  const earlier = await earlierResponse<UsersImported>(db, actor, call)
  if (earlier) return earlier
  await checkOpen(db, actor, body)
  const rows = await checkRows(db, body)
  // Hashing is slow, so it happens before the transaction, and only for users that can be added.
  await passwords.change(actor.id, () => hashPasswords(passwords, rows, () => isRepeated(db, actor, call)))
  return rights.write(actor, (trx) =>
    once(trx, actor, call, async () => {
      await needWorkspace(trx, body.workspace_id)
      const run = await beginOrContinue(trx, actor, body)
      return addRows(trx, actor, run, rows)
    }),
  )
}

/** What tells a request from another one with the same key. Not even a digest of a password is stored. */
function withoutPasswords({ rows, ...body }: UsersImport) {
  return JSON.stringify({ ...body, rows: rows.map(({ password: _, ...row }) => row) })
}

/** One after the other, so that the queue of all passwords stays short. */
async function hashPasswords(passwords: Passwords, rows: ImportedRow[], isDone: () => Promise<boolean>) {
  // A repeated call may have waited for the first one.
  if (await isDone()) return
  for (const row of rows) {
    if (row.outcome !== 'added') continue
    try {
      row.password_hash = await passwords.hash(row.password ?? '', row.user)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 422) throw error
      row.outcome = 'invalid password'
      row.reason = row.password === undefined ? 'Password is required!' : error.message
    }
  }
}

async function isRepeated(db: Db, actor: Actor, call: Call) {
  return (await earlierResponse(db, actor, call)) !== undefined
}
