import type { Operation, OperationKindName } from '@watchdesk/contract/operations/operations'
import { type RawBuilder, sql } from 'kysely'
import { type Sent, SOURCE_CHECKSUM, storyChecksumIn } from '../../db/checksum.ts'
import { allowTime } from '../../db/long.ts'
import type { SystemDb } from '../../db/open.ts'
import { isChangedBy } from '../sources/write-many.ts'

export type Verify = ReturnType<typeof createVerify>
type Verification = NonNullable<Operation['verification']>

const MAX_MS = 60_000

/**
 * Reads back, after the commit, what an import has stored, compares it with what was sent, and saves the result, once. An
 * import that could not be read back, or whose rows somebody has changed since, is not a failed one: then the result is
 * null.
 */
export function createVerify(db: SystemDb, onError: (error: unknown) => void) {
  return (import_id: number): Promise<Verification | null> =>
    verify(db, import_id).catch((error) => {
      onError(error)
      return null
    })
}

/** Proves what imports have stored whose server stopped after the commit and before the proof. Safe on several servers at once. */
export async function verifyOperations(db: SystemDb, verify: Verify) {
  // Imports of the last minutes may be verified at this moment. Older ones have changed too much since.
  const { rows } = await sql<{ id: number }>`select id from imports
    where state = 'done' and verification is null and details ? 'sent' and not is_undone
      and finished_at between now() - interval '1 day' and now() - interval '1 minute'
    order by id`.execute(db)
  for (const { id } of rows) await verify(id)
}

function verify(db: SystemDb, import_id: number) {
  return db.transaction().execute(async (trx) => {
    await allowTime(trx, MAX_MS)
    const { kind, details, verification } = await trx
      .selectFrom('imports')
      .select(['kind', 'details', 'verification'])
      .where('id', '=', import_id)
      .executeTakeFirstOrThrow()
    const sent = details.sent as Sent | undefined
    if (verification || !sent) return verification
    const { rows } = await sql<Sent & { changed: number }>`select count(*) as count,
      coalesce(sum(checksum), 0)::bigint as checksum, count(*) filter (where is_changed) as changed
      from (${storedBy(kind, import_id)}) as stored`.execute(trx)
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
      .updateTable('imports')
      .set({ verification: sql`coalesce(verification, ${JSON.stringify(found)}::jsonb)` })
      .where('id', '=', import_id)
      .returning('verification')
      .executeTakeFirstOrThrow()
    return saved.verification
  })
}

function storedBy(kind: OperationKindName, import_id: number): RawBuilder<unknown> {
  if (kind === 'stories_import') {
    return sql`select ${storyChecksumIn()} as checksum, false as is_changed from stories where import_id = ${import_id}`
  }
  // The sources that the import added or changed.
  return sql`select ${SOURCE_CHECKSUM} as checksum, sources.content_version <> 1 as is_changed from sources
      where import_id = ${import_id} and not ${isChangedBy(import_id, sql`sources.id`)}
    union all select ${SOURCE_CHECKSUM}, sources.content_version <> (after ->> 'content_version')::int
    from sources join operation_changes on record_id = sources.id where operation_id = ${import_id}`
}
