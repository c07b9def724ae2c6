import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from './open.ts'
import type { Tables } from './tables.ts'

/** The rows of a query in SQL. It stands in a subquery, where PostgreSQL lets nothing be changed. */
export function rowsOf<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return db.selectFrom(sql<Row>`(${query})`.as('rows')).selectAll().execute() as Promise<Row[]>
}

/** Everything that the work reads is of one moment. */
export function atOneMoment<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  return (db as Kysely<Tables>)
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(work)
}
