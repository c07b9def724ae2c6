import type { Operation } from '@watchdesk/contract/operations/operations'
import { sql } from 'kysely'
import type { Sent } from '../../db/checksum.ts'
import { longTransaction } from '../../db/long.ts'
import type { SystemDb } from '../../db/open.ts'
import type { OperationKinds } from './kind.ts'

export type Verify = ReturnType<typeof createVerify>
type Verification = NonNullable<Operation['verification']>

const MAX_MS = 60_000

/** Compares what an import has stored with what was sent, once. Null if it could not be read, or somebody changed it since. */
export function createVerify(db: SystemDb, kinds: OperationKinds, onError: (error: unknown) => void) {
  return (import_id: number) =>
    verify(db, kinds, import_id).catch((error) => {
      onError(error)
      return null
    })
}

export async function verified<Result extends { import_id?: number | undefined }>(verify: Verify, result: Result) {
  return result.import_id === undefined ? result : { ...result, verification: await verify(result.import_id) }
}

/** Proves what imports have stored whose server stopped after the commit and before the proof. Safe on several servers at once. */
export async function verifyOperations(db: SystemDb, verify: Verify) {
  // Imports of the last minutes may be verified at this moment. Older ones have changed too much since.
  const { rows } = await sql<{ id: number }>`select id from operations
    where state = 'done' and verification is null and details ? 'sent' and not is_undone
      and finished_at between now() - interval '1 day' and now() - interval '1 minute'
    order by id`.execute(db)
  for (const { id } of rows) await verify(id)
}

function verify(db: SystemDb, kinds: OperationKinds, import_id: number) {
  return longTransaction(db, MAX_MS, async (trx) => {
    const { kind, details, verification } = await trx
      .selectFrom('operations')
      .select(['kind', 'details', 'verification'])
      .where('id', '=', import_id)
      .executeTakeFirstOrThrow()
    const sent = details.sent as Sent | undefined
    const stored = kinds[kind].stored?.(import_id)
    if (verification || !sent || !stored) return verification
    const { rows } = await sql<Sent & { changed: number }>`select count(*) as count,
      coalesce(sum(checksum), 0)::bigint as checksum, count(*) filter (where is_changed) as changed
      from (${stored}) as stored`.execute(trx)
    const { count = 0, checksum = 0, changed = 0 } = rows[0] ?? {}
    if (count === sent.count && checksum !== sent.checksum && changed > 0) return null
    const found: Verification = {
      expected_count: sent.count,
      stored_count: count,
      is_equal: count === sent.count && checksum === sent.checksum,
      checksum: checksum.toString(16),
      at: new Date().toISOString(),
    }
    // The same call that was sent twice gets the same answer twice.
    const saved = await trx
      .updateTable('operations')
      .set({ verification: sql`coalesce(verification, ${JSON.stringify(found)}::jsonb)` })
      .where('id', '=', import_id)
      .returning('verification')
      .executeTakeFirstOrThrow()
    return saved.verification
  })
}
