import { type RawBuilder, sql } from 'kysely'
import type { Db, SystemDb } from './open.ts'

/** The rows of a SQL query. It runs as a subquery, in which PostgreSQL allows no writes. */
export function rowsOf<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return db.selectFrom(sql<Row>`(${query})`.as('rows')).selectAll().execute() as Promise<Row[]>
}

/** Runs all reads of the work in one snapshot. */
export type InSnapshot = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>

export function createSnapshotReader(system: SystemDb): InSnapshot {
  return (work) => system.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}
