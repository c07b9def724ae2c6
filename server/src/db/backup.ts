import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { escapeIdentifier, type Pool, type PoolClient } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { StartError } from '../env.ts'
import { ByteReader } from './byte-reader.ts'
import { inTransaction, migrate, readMigrations, WITHOUT_TIME_LIMITS } from './migrate.ts'

/** Sessions end with a restore; what is known about lists is recorded again by triggers. */
const LISTS = ['list_totals', 'list_changes']
/** Used once, or sent once: a restore must not bring them back. */
const ONCE = ['pending_sign_ins', 'passkey_challenges', 'one_time_links', 'mails']
const LEFT_OUT = ['schema_migrations', 'sessions', 'failed_sign_ins', 'audit_once', 'mail_limits', ...ONCE, ...LISTS]
const FORMAT = 1

type Table = { name: string; columns: string[]; key: string[] }
type Sequence = { table: string; column: string; last: number; used: boolean }
type Header = {
  watchdesk_backup: number
  created_at: string
  migrations: { version: number; checksum: string }[]
  sequences: Sequence[]
}
/**
 * A backup is a header followed by frames: the start of a table, the size of each chunk of its rows before the chunk,
 * and the end of the table with its checksum.
 */
type Frame = { table: string; columns: string[] } | { bytes: number } | { rows: number; sha256: string } | { end: true }

export type Summary = Record<string, { rows: number; sha256: string }>

/** A consistent snapshot of all data, also while the server is running. Fills in the summary. */
export async function* backup(pool: Pool, summary: Summary): AsyncGenerator<Buffer | string> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(WITHOUT_TIME_LIMITS)
    if (!(await hasSchema(client))) throw new StartError('There is nothing to back up: the database is empty')
    const migrations = await client.query('select version, checksum from schema_migrations order by version')
    const header: Header = {
      watchdesk_backup: FORMAT,
      created_at: new Date().toISOString(),
      migrations: migrations.rows,
      sequences: await sequences(client),
    }
    yield `${JSON.stringify(header)}\n`
    for (const table of await tables(client)) {
      yield frame({ table: table.name, columns: table.columns })
      const end = yield* copyOut(client, table)
      summary[table.name] = end
      yield frame(end)
    }
    yield frame({ end: true })
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

/** Reads a backup to its end without a database; throws if it is damaged or truncated. */
export async function readBackup(source: Readable): Promise<Summary> {
  const reader = new ByteReader(source)
  await readHeader(reader)
  return readTables(reader, () => readRows(reader, async () => {}))
}

/** Restores into an empty database, atomically, and then migrates to the current schema. */
export async function restore(pool: Pool, source: Readable): Promise<Summary> {
  const reader = new ByteReader(source)
  const header = await readHeader(reader)
  await refuseStrangers(header)
  await refuseFull(pool)
  await migrate(pool, { upTo: header.migrations.at(-1)?.version ?? 0 })
  const summary = await inTransaction(pool, async (client) => {
    const restored = await readTables(reader, (table, columns) => copyIn(client, reader, table, columns))
    for (const { table, column, last, used } of header.sequences) {
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [table, column, last, used])
    }
    return restored
  })
  await migrate(pool)
  return summary
}

function frame(value: Frame) {
  return `${JSON.stringify(value)}\n`
}

async function* copyOut(client: PoolClient, table: Table) {
  const hash = createHash('sha256')
  const list = table.columns.map(escapeIdentifier).join(', ')
  const key = table.key.map(escapeIdentifier).join(', ')
  const stream = client.query(
    copyTo(`copy (select ${list} from ${escapeIdentifier(table.name)} order by ${key}) to stdout`),
  )
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield frame({ bytes: chunk.length })
    yield chunk
  }
  return { rows: stream.rowCount, sha256: hash.digest('hex') }
}

type TableEnd = Summary[string]

async function readTables(reader: ByteReader, read: (table: string, columns: string[]) => Promise<TableEnd>) {
  const summary: Summary = {}
  for (let next = await readFrame(reader); !('end' in next); next = await readFrame(reader)) {
    if (!('table' in next)) throw damaged()
    summary[next.table] = await read(next.table, next.columns)
  }
  return summary
}

async function readRows(reader: ByteReader, take: (chunk: Buffer) => Promise<void>): Promise<TableEnd> {
  const hash = createHash('sha256')
  let next = await readFrame(reader)
  while ('bytes' in next) {
    const chunk = await reader.bytes(next.bytes)
    hash.update(chunk)
    await take(chunk)
    next = await readFrame(reader)
  }
  if (!('sha256' in next) || next.sha256 !== hash.digest('hex')) throw damaged()
  return next
}

async function copyIn(client: PoolClient, reader: ByteReader, table: string, columns: string[]) {
  const stream = client.query(
    copyFrom(`copy ${escapeIdentifier(table)} (${columns.map(escapeIdentifier).join(', ')}) from stdin`),
  )
  // If reading fails first, the stream's error about its closed connection is ignored.
  stream.on('error', () => {})
  const end = await readRows(reader, async (chunk) => {
    if (!stream.write(chunk)) await once(stream, 'drain')
  })
  stream.end()
  await finished(stream)
  if (end.rows !== stream.rowCount) throw damaged()
  return end
}

async function readHeader(reader: ByteReader): Promise<Header> {
  const header = parse(await reader.line()) as Partial<Header>
  if (header.watchdesk_backup !== FORMAT) throw new StartError('This file is not a backup of Watchdesk')
  return header as Header
}

async function readFrame(reader: ByteReader) {
  return parse(await reader.line()) as Frame
}

function parse(line: string) {
  try {
    return JSON.parse(line) as object
  } catch {
    throw damaged()
  }
}

function damaged() {
  return new StartError('The backup is damaged or cut short; nothing was restored')
}

async function refuseStrangers(header: Header) {
  const known = new Map((await readMigrations()).map(({ version, checksum }) => [version, checksum]))
  const strange = header.migrations.some(({ version, checksum }) => known.get(version) !== checksum)
  if (strange) throw new StartError('The backup comes from another release than this one can read')
}

async function hasSchema(client: Pool | PoolClient) {
  const { rows } = await client.query(`select to_regclass('users') is not null as "known"`)
  return Boolean(rows[0]?.known)
}

async function refuseFull(pool: Pool) {
  const users = (await hasSchema(pool)) ? await pool.query('select from users limit 1') : undefined
  if (users?.rowCount)
    throw new StartError('The database is not empty: restore into a new DATA_DIR or an empty database')
}

/** Sorted so that each table comes after those it references. */
async function tables(client: PoolClient): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers_to: string[] }>(
    `select name, columns, key, refers_to from (
      select class.oid, class.relname::text as name,
        array(select attname::text from pg_attribute
          where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
        array(select attname::text from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
          where indrelid = class.oid and indisprimary order by array_position(indkey, attnum)) as key,
        array(select confrelid::regclass::text from pg_constraint
          where conrelid = class.oid and contype = 'f' and confrelid <> conrelid) as refers_to
      from pg_class class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all($1)
    ) listed order by name`,
    [LEFT_OUT],
  )
  const sorted: typeof rows = []
  while (sorted.length < rows.length) {
    const done = new Set(sorted.map(({ name }) => name))
    const ready = rows.filter(({ name, refers_to }) => !done.has(name) && refers_to.every((other) => done.has(other)))
    if (ready.length === 0) throw new Error('The tables refer to each other in a circle')
    sorted.push(...ready)
  }
  return sorted
}

async function sequences(client: PoolClient): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select "table", "column", coalesce(pg_sequence_last_value(sequence), 1)::float8 as last,
      pg_sequence_last_value(sequence) is not null as used
    from (
      select attrelid::regclass::text as "table", attname::text as "column",
        pg_get_serial_sequence(attrelid::regclass::text, attname)::regclass as sequence
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and attidentity <> ''
    ) as listed order by 1`,
  )
  return rows
}
