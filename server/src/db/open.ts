import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Env } from '../env.ts'
import type { DiskSpace } from './disk-space.ts'
import { APPLICATION, startEmbedded } from './embedded.ts'
import { databaseProblem } from './errors.ts'
import { NamedClient } from './named-client.ts'
import { inspectServer } from './server.ts'
import type { Tables } from './tables.ts'

/** What stores read with. It cannot write: for that there is `db/rights.ts`. */
export type Db = Pick<SystemDb, 'selectFrom'>

/** Reads and writes as the system: for the start, jobs, commands and sign-in, which have no session. */
export type SystemDb = Kysely<Tables>

export type Trx = Transaction<Tables>

/** Runs work in a transaction, with the rights for which this function was created: a user's or the system's. */
export type InTransaction = <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>

export function asSystem(db: SystemDb): InTransaction {
  return (work) => db.transaction().execute(work)
}

export type Database = {
  db: SystemDb
  pool: pg.Pool
  /** Free disk space, where the database is embedded. */
  diskSpace?: DiskSpace | undefined
  close(): Promise<void>
}

const INT8 = 20
const DATE = 1082
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number
    if (oid === DATE) return (day: string) => `${day}T00:00:00`
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

type OpenSettings = Pick<Env, 'DATA_DIR' | 'DATABASE_URL' | 'DATABASE_POOL_SIZE' | 'STATEMENT_TIMEOUT_MS'>

export async function openDatabase(env: OpenSettings, { share = false } = {}): Promise<Database> {
  if (env.DATABASE_URL) return connectToServer(env.DATABASE_URL, env)
  const embedded = await startEmbedded(env.DATA_DIR, { isGuest: share })
  const database = connect(embedded.connection, env)
  return {
    ...database,
    diskSpace: embedded.diskSpace,
    async close() {
      await database.close()
      await embedded.stop()
    },
  }
}

async function connectToServer(url: string, env: OpenSettings): Promise<Database> {
  const { connectionString, isPooled } = await inspectServer(url)
  if (!isPooled) return connect({ connectionString }, env)
  // The role has its own time limits there; see `inspectServer`. Nothing is named, because the next statement may run on
  // another connection, which does not know the name.
  return connect({ connectionString }, { ...env, STATEMENT_TIMEOUT_MS: 0 }, pg.Client)
}

export function connect(
  connection: pg.ClientConfig,
  env: Pick<Env, 'DATABASE_POOL_SIZE' | 'STATEMENT_TIMEOUT_MS'>,
  Client: typeof pg.Client = NamedClient,
): Database {
  const pool = new pg.Pool({
    ...connection,
    Client,
    types,
    max: env.DATABASE_POOL_SIZE,
    application_name: APPLICATION,
    connectionTimeoutMillis: 1500,
    idleTimeoutMillis: 60_000,
    statement_timeout: env.STATEMENT_TIMEOUT_MS || undefined,
    idle_in_transaction_session_timeout: env.STATEMENT_TIMEOUT_MS || undefined,
    keepAlive: true,
  })
  // A broken connection fails its own query and is replaced. Without these listeners it would end the process: the
  // pool's listener is for idle connections, the other one for transactions.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  let ended: Promise<void> | undefined
  function close() {
    ended ??= pool.end()
    return ended
  }
  return { db, pool, close }
}

const PROBE: pg.QueryConfig & { query_timeout: number } = {
  text: `select current_setting('transaction_read_only') = 'on' as is_read_only`,
  query_timeout: 1500,
}

/** For calls without a token: a frozen database accepts connections but never responds. */
export async function requireWritableDatabase(pool: pg.Pool) {
  const isWritable = await probe(pool).catch(() => {
    throw databaseProblem('unreachable')
  })
  if (!isWritable) throw databaseProblem('read_only')
}

async function probe(pool: pg.Pool) {
  const client = await pool.connect()
  let isFit = false
  try {
    const { rows } = await client.query<{ is_read_only: boolean }>(PROBE)
    isFit = rows[0]?.is_read_only === false
    return isFit
  } finally {
    // A new connection may lead to the new primary.
    client.release(!isFit)
  }
}
