import { sql } from 'kysely'
import { checksumIn } from '../../db/checksum.ts'

/** What `sourceChecksum` computes, from the columns of a table. */
export const SOURCE_CHECKSUM = checksumIn(sql`md5(platform || ' ' || url || ' ' || coalesce(country::text, ''))`)
