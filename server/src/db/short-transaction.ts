import type { Writable } from 'node:stream'
import { type CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { RESPONSE_MS } from './callers.ts'
import type { Trx } from './open.ts'
import type { Tables } from './tables.ts'

/** Runs the last statement of a transaction together with the commit, and returns its rows. */
export type Finish = <Row>(last: { compile(): CompiledQuery<Row> }) => Promise<Row[]>

/**
 * A transaction without extra round trips: `begin` is sent together with the first statement, and `commit` together
 * with the last one if the work ends with `finish`. Not for COPY, which cannot be sent together with anything.
 */
export async function shortTransaction<Result>(
  pool: Pool,
  work: (trx: Trx, finish: Finish) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let hasBegun = false
  let isOver = false
  let isFit = true
  setPipeline(client, true)
  try {
    const result = await work(bindTo(query), finish)
    if (!isOver) await query('commit')
    return result
  } catch (error) {
    if (hasBegun && !isOver)
      isFit = await client.query('rollback').then(
        () => true,
        () => false,
      )
    throw error
  } finally {
    setPipeline(client, false)
    client.release(!isFit)
  }

  async function query(text: string, values?: unknown[]): Promise<QueryResult> {
    if (isOver) throw new Error('This transaction is over')
    if (hasBegun) return client.query(text, values)
    hasBegun = true
    const [, result] = await together(client, () => [client.query(BEGIN), client.query(text, values)])
    return result
  }

  async function finish<Row>(last: { compile(): CompiledQuery<Row> }) {
    const { sql, parameters } = last.compile()
    const [result] = await together(client, () => {
      const sent = query(sql, [...parameters])
      isOver = true
      return [sent, client.query('commit')]
    })
    return result.rows as Row[]
  }
}

/** `begin` waits for nobody: without a response, the database is stuck, and the connection is given up. */
const BEGIN: QueryConfig & { query_timeout: number } = { text: 'begin', query_timeout: RESPONSE_MS }

/** Sends statements in one packet, and waits for all of them. If one fails, so do those after it, and `commit` rolls back. */
async function together(client: PoolClient, send: () => [Promise<QueryResult>, Promise<QueryResult>]) {
  const stream = socketOf(client)
  stream.cork()
  const sent = send()
  stream.uncork()
  await Promise.allSettled(sent)
  return Promise.all(sent)
}

/** pg can switch it while no statement is running, but its types do not say so. */
function setPipeline(client: PoolClient, pipeline: boolean) {
  Object.assign(client, { pipeline })
}

function socketOf(client: PoolClient): Writable {
  return Reflect.get(client, 'connection').stream
}

function bindTo(query: (text: string, values?: unknown[]) => Promise<QueryResult>) {
  const connection = { query, release() {} } as unknown as PostgresPoolClient
  const pool = { connect: async () => connection, end: async () => {} }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) as unknown as Trx
}
