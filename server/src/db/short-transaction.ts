import type { Writable } from 'node:stream'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { RESPONSE_MS } from './callers.ts'
import { compileOnce, type Shape } from './compile-once.ts'
import { LOCK_WAIT_MS } from './lock-wait.ts'
import type { Trx } from './open.ts'
import type { Tables } from './tables.ts'

type Compilable<Row> = { compile(): CompiledQuery<Row> }
type Statement<Values extends object, Row> = Shape<Values, Compilable<Row>>

/** Runs the last statement of a transaction together with the commit, and returns its rows. */
export type Finish = <Row, Values extends object>(last: Statement<Values, Row> | Compilable<Row>) => Promise<Row[]>

export type ShortTransaction = {
  trx: Trx
  /** Runs statements that are compiled once, all in one round trip, and returns the rows of each. */
  run(...statements: Statement<object, unknown>[]): Promise<unknown[][]>
  finish: Finish
}

/**
 * A condition of the transaction. Its statement divides by zero unless the condition holds, so that PostgreSQL refuses
 * the statements that were sent behind it.
 */
type Condition = { statement: Statement<object, unknown>; onHolding(): void }

/** Thrown if the condition of a transaction does not hold. */
export class ConditionFailed extends Error {}

/**
 * A transaction without extra round trips: `begin` and the condition are sent together with the first statement, and
 * `commit` together with the last one if the work ends with `finish`. Not for COPY, which cannot be sent together with
 * anything.
 */
export async function shortTransaction<Result>(
  pool: Pool,
  work: (transaction: ShortTransaction) => Promise<Result>,
  condition?: Condition,
): Promise<Result> {
  const client = await pool.connect()
  let hasBegun = false
  let isOver = false
  let isFit = true
  let answered: Promise<unknown> = Promise.resolve()
  setPipeline(client, true)
  try {
    const result = await work({ trx: bindTo(query), run, finish })
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
    await answered
    setPipeline(client, false)
    client.release(!isFit)
  }

  async function query(text: string, values: unknown[] = []) {
    const [result] = await send([{ text, values }])
    return result as QueryResult
  }

  async function run(...statements: Statement<object, unknown>[]) {
    const results = await send(statements.map(textOf))
    return results.map(({ rows }) => rows)
  }

  async function finish<Row, Values extends object>(last: Statement<Values, Row> | Compilable<Row>) {
    const statement = textOf(last)
    const sent = send([statement, { text: 'commit' }])
    isOver = true
    const [result] = await sent
    return (result as QueryResult).rows as Row[]
  }

  /** Sends statements in one packet. If one fails in PostgreSQL, so do those after it, and `commit` rolls back. */
  async function send(statements: QueryConfig[]) {
    if (isOver) throw new Error('This transaction is over')
    const first = hasBegun ? [] : [BEGIN, ...(condition ? [textOf(condition.statement)] : [])]
    hasBegun = true
    const socket = socketOf(client)
    socket.cork()
    const sent = [...first, ...statements].map((statement) => client.query(statement))
    socket.uncork()
    answered = Promise.allSettled(sent)
    await answered
    if (condition && first.length > 0) await sent[1]?.then(condition.onHolding, throwCondition)
    const results = await Promise.all(sent)
    return results.slice(-statements.length)
  }
}

function throwCondition(error: unknown) {
  throw Reflect.get(Object(error), 'code') === DIVISION_BY_ZERO ? new ConditionFailed() : error
}

function textOf<Row, Values extends object>(statement: Statement<Values, Row> | Compilable<Row>) {
  const { sql, parameters } = 'key' in statement ? compileOnce(statement) : statement.compile()
  return { text: sql, values: [...parameters] }
}

const DIVISION_BY_ZERO = '22012'

/** `begin` waits for nobody: without a response, the database is stuck, and the connection is given up. */
const BEGIN: QueryConfig & { query_timeout: number } = {
  text: `begin; set local lock_timeout = ${LOCK_WAIT_MS}`,
  query_timeout: RESPONSE_MS,
}

/** pg can switch it while no statement is running, but its types do not say so. */
function setPipeline(client: PoolClient, pipeline: boolean) {
  Object.assign(client, { pipeline })
}

function socketOf(client: PoolClient): Writable {
  return Reflect.get(client, 'connection').stream
}

const DIALECT = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
const EXECUTOR = new Kysely<Tables>({ dialect: DIALECT }).getExecutor()
const CHANGES = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

/** A query builder that runs its queries in the transaction. All share one compiler, which takes long to create. */
function bindTo(query: (text: string, values?: unknown[]) => Promise<QueryResult>) {
  const connection: DatabaseConnection = {
    async executeQuery({ sql, parameters }) {
      const { command, rowCount, rows } = await query(sql, [...parameters])
      return { rows, numAffectedRows: CHANGES.includes(command) ? BigInt(rowCount ?? 0) : undefined }
    },
    streamQuery() {
      throw new Error('A short transaction reads all rows at once')
    },
  }
  const executor = EXECUTOR.withConnectionProvider({ provideConnection: (work) => work(connection) })
  return new Kysely<Tables>({
    config: { dialect: DIALECT },
    dialect: DIALECT,
    driver: DIALECT.createDriver(),
    executor,
  }) as unknown as Trx
}
