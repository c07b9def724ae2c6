import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Actor } from '../actor.ts'
import { isStill, RESPONSE_MS, Unconfirmed } from './callers.ts'
import { isOutdated, prepareAgain, UNNAMED } from './named-client.ts'
import type { Db, SystemDb } from './open.ts'

/** The rows of a SQL query. It runs as a subquery, in which PostgreSQL allows no writes. */
export function rowsOf<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return db.selectFrom(sql<Row>`(${query})`.as('rows')).selectAll().execute() as Promise<Row[]>
}

/**
 * The rows of a query for a caller. If the caller is only remembered, the same statement confirms the session.
 * `isSearch` is for a query that can take long, and whose best plan depends on its values.
 */
export type Read = <Row>(actor: Actor, query: Expression<Row>, options?: { isSearch?: boolean }) => Promise<Row[]>

export function createReader(system: SystemDb, pool: Pool): Read {
  return async (actor, query, { isSearch = false } = {}) => {
    if (actor.isConfirmed) return run(sql`select * from (${query}) as rows`, { isSearch })
    // A statement with the check has to be as quick as the check.
    if (isSearch) throw new Unconfirmed()
    const still = sql`select from users join sessions on sessions.user_id = users.id where ${isStill(actor)}`
    const rows = await run(sql`select * from (${query}) as rows where exists (${still})`, {
      query_timeout: RESPONSE_MS,
    })
    if (rows.length === 0) throw new Unconfirmed()
    actor.isConfirmed = true
    return rows
  }

  async function run(query: RawBuilder<unknown>, { isSearch = false, query_timeout = 0 }) {
    const { sql: text, parameters } = query.compile(system)
    const statement = { text: isSearch ? `${UNNAMED} ${text}` : text, values: [...parameters], query_timeout }
    const { rows } = await pool.query(statement).catch((error: unknown) => {
      if (!isOutdated(error)) throw error
      prepareAgain()
      return pool.query(statement)
    })
    return rows
  }
}

/** Runs all reads of the work in one snapshot. */
export type InSnapshot = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>

export function createSnapshotReader(system: SystemDb): InSnapshot {
  return (work) => system.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}
