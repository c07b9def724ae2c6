import { type RawBuilder, sql } from 'kysely'
import type { Db, SystemDb } from './open.ts'

/** The rows of a query in SQL. It stands in a subquery, where PostgreSQL lets nothing be changed. */
export function rowsOf<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return db.selectFrom(sql<Row>`(${query})`.as('rows')).selectAll().execute() as Promise<Row[]>
}

/** Everything that the work reads is of one moment. */
export type InSnapshot = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>

export function createSnapshotReader(system: SystemDb): InSnapshot {
  return (work) => system.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}
