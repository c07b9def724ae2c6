import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

/** How many rows an import has to store, and the sum of their checksums. In the details of the import. */
export type Sent = { count: number; checksum: number }

/**
 * A number for a row. The numbers of all rows are added up, so their order does not matter, and a million of them stay
 * below the largest exact number. PostgreSQL computes the same with `checksumIn`.
 */
export function checksumOf(row: string) {
  return Number.parseInt(hash('md5', row).slice(0, 8), 16)
}

/** The same number in SQL. Their sum is a `numeric`. */
export function checksumIn(row: RawBuilder<unknown>) {
  return sql<number>`('x' || left(md5(${row}), 8))::bit(32)::bigint`
}
