import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Actor } from '../actor.ts'
import { claimOf, isStill, RESPONSE_MS, Unconfirmed, usersWith } from './callers.ts'
import { type Compiled, compileOnce, type Shape } from './compile-once.ts'
import { UNNAMED } from './named-client.ts'
import type { Db, SystemDb } from './open.ts'

/** The rows of a SQL query. It runs as a subquery, in which PostgreSQL allows no writes. */
export function rowsOf<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return db.selectFrom(sql<Row>`(${query})`.as('rows')).selectAll().execute() as Promise<Row[]>
}

type Query<Row, Values extends object> = Expression<Row> | Shape<Values, Expression<Row>>

/**
 * The rows of a query for a caller. If the caller is only remembered, the same statement confirms the session.
 * `isSearch` is for a query that can take long, and whose best plan depends on its values.
 */
export type Read = <Row, Values extends object>(
  actor: Actor,
  query: Query<Row, Values>,
  options?: { isSearch?: boolean },
) => Promise<Row[]>

export function createReader(system: SystemDb, pool: Pool): Read {
  return async (actor, query, { isSearch = false } = {}) => {
    if (actor.isConfirmed) return run(compile(query), { isSearch })
    // A statement with the check has to be as quick as the check.
    if (isSearch) throw new Unconfirmed()
    const rows = await run(compile(query, actor), { query_timeout: RESPONSE_MS })
    if (rows.length === 0) throw new Unconfirmed()
    actor.isConfirmed = true
    return rows
  }

  function compile<Row, Values extends object>(query: Query<Row, Values>, actor?: Actor) {
    const claim = actor && { ...claimOf(actor), credential: actor.credential }
    if (!('key' in query)) return statement(query, claim).compile(system)
    return compileOnce({
      key: `${claim ? `confirm ${claim.credential} and read` : 'read'} ${query.key}`,
      values: { of: query.values, claim: actor && claimOf(actor) },
      build: (values) => {
        const built = statement(
          query.build(values.of),
          claim && values.claim && { ...values.claim, credential: claim.credential },
        )
        return { compile: () => built.compile(system) }
      },
    })
  }

  async function run({ sql: text, parameters }: Compiled, { isSearch = false, query_timeout = 0 }) {
    const query = { text: isSearch ? `${UNNAMED} ${text}` : text, values: [...parameters], query_timeout }
    const { rows } = await pool.query(query)
    return rows
  }
}

/** The query, and with a claim, no rows unless the session and the user are still as remembered. */
function statement(
  query: Expression<unknown>,
  claim: (ReturnType<typeof claimOf> & Pick<Actor, 'credential'>) | undefined,
) {
  if (!claim) return sql`select * from (${query}) as rows`
  return sql`select * from (${query}) as rows where exists (
    select from ${usersWith(claim.credential)} where ${isStill(claim, false)})`
}

/** Runs all reads of the work in one snapshot. */
export type InSnapshot = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>

export function createSnapshotReader(system: SystemDb): InSnapshot {
  return (work) => system.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}
