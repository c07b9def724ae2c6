import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect, type PostgresPoolClient, type Transaction } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { databaseFailure } from './errors.ts'
import type { Tables } from './tables.ts'

/** Streams lines in COPY's text format into a table, with backpressure. */
export type Copy = (table: string, lines: AsyncIterable<Uint8Array>) => Promise<void>

/** A transaction that can use COPY, which needs the underlying connection. A connection whose COPY failed is not reused. */
export async function copyingTransaction<Result>(
  pool: Pool,
  work: (trx: Transaction<Tables>, copy: Copy) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let hasFailed = false
  const copy: Copy = async (table, lines) => {
    hasFailed = true
    await pipeline(Readable.from(lines, { highWaterMark: 1 }), client.query(copyFrom(`copy ${table} from stdin`)))
    hasFailed = false
  }
  try {
    return await on(client)
      .transaction()
      .execute((trx) => work(trx, copy))
  } catch (error) {
    // A new connection may lead to the new primary.
    hasFailed ||= databaseFailure(error) === 'read_only'
    throw error
  } finally {
    client.release(hasFailed || client.getTransactionStatus() !== 'I')
  }
}

function on(client: PoolClient) {
  const connection = { query: client.query.bind(client), release() {} } as PostgresPoolClient
  const pool = { connect: async () => connection, end: async () => {} }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
