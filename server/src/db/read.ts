import { type Expression, sql } from 'kysely'
import type { Pool } from 'pg'
import { UNNAMED } from './named-client.ts'
import type { Db, SystemDb } from './open.ts'

/** The rows of a SQL query. It runs as a subquery, in which PostgreSQL allows no writes. */
export function rowsOf<Row>(db: Db, query: Expression<Row>): Promise<Row[]> {
  return db.selectFrom(sql<Row>`(${query})`.as('rows')).selectAll().execute() as Promise<Row[]>
}

export async function exists(db: Db, query: Expression<unknown>) {
  const [row] = await rowsOf(db, sql<{ has_row: boolean }>`select exists (${query}) as has_row`)
  return row?.has_row === true
}

/** `isSearch` is for a query that can take long, and whose best plan depends on its values. */
export type Read = <Row>(query: Expression<Row>, options?: { isSearch?: boolean }) => Promise<Row[]>

export function createReader(system: SystemDb, pool: Pool): Read {
  return async (query, { isSearch = false } = {}) => {
    // PostgreSQL allows no writes in a subquery.
    const { sql: text, parameters } = sql`select * from (${query}) as rows`.compile(system)
    const { rows } = await pool.query(isSearch ? `${UNNAMED} ${text}` : text, [...parameters])
    return rows
  }
}

export type InSnapshot = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>

export function createSnapshotReader(system: SystemDb): InSnapshot {
  return (work) => system.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}
