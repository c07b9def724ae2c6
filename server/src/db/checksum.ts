import { type RawBuilder, sql } from 'kysely'
import type { Trx } from './open.ts'

/** How many rows an import has to store, and the sum of their checksums. In the details of the import. */
export type Sent = { count: number; checksum: number }

/** The number of a row, as in `row-checksums.ts`, from the MD5 of the row. Their sum is a `numeric`. */
function checksumIn(md5: RawBuilder<unknown>) {
  return sql<number>`('x' || left((${md5})::text, 8))::bit(32)::bigint`
}

/** What `sourceChecksum` computes, from the columns of a table. */
export const SOURCE_CHECKSUM = checksumIn(sql`md5(platform || ' ' || url || ' ' || coalesce(country::text, ''))`)

/** Identifies a story in its narrative. The length marks where the id of the message ends and the story begins. */
export function digestOf(message_composite_id: RawBuilder<unknown>, story: RawBuilder<unknown>) {
  return sql<string>`md5(length(${message_composite_id}) || ':' || ${message_composite_id} || ${story})::uuid`
}

export const DIGEST = digestOf(sql`stories.message_composite_id`, sql`stories.story`)

/** What `storyChecksum` computes, from the digest of a row. */
export function storyChecksumIn(digest = DIGEST) {
  return sql<number>`${checksumIn(digest)} + narrative_id`
}

/** `valid` selects the `checksum` of every valid row, and whether it `is_sent`: those must be found after the commit. */
export async function countSent(trx: Trx, valid: RawBuilder<unknown>, expected: Sent): Promise<Sent> {
  const { rows } = await sql<Sent & { all_count: number; all_checksum: number }>`
    select count(*) as all_count, coalesce(sum(checksum), 0)::bigint as all_checksum,
      count(*) filter (where is_sent) as count, coalesce(sum(checksum) filter (where is_sent), 0)::bigint as checksum
    from (${valid}) as valid`.execute(trx)
  const [counted] = rows
  if (counted?.all_count !== expected.count || counted.all_checksum !== expected.checksum) {
    throw new Error('The staged rows differ from the rows that were sent')
  }
  return { count: counted.count, checksum: counted.checksum }
}
