import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { SystemDb, Trx } from './open.ts'

/** After how long another server takes over a row from one that died or no longer responds. */
const LEASE_SECONDS = 15
/** How often work may start, so that what crashes the process is not tried forever. */
export const MAX_ATTEMPTS = 3

type Sql = RawBuilder<unknown>

/** A row as long as its lease is ours. Each lease has its own holder, so an earlier one of the same server is another. */
export type Held = { id: number; leased_by: string | null }

/** Another server holds the row, or it was cancelled: nothing may be saved. */
export class LeaseLost extends Error {}

/** The rows of a table that are work: any server may lease one and carry it out. */
export type Queue = {
  table: 'jobs' | 'vectorization_runs' | 'mails'
  /** Rows that are to be carried out now, or are being carried out. */
  isOpen: Sql
  order: Sql
  isCancelled?: Sql
  /** What else changes, after a comma, when a row is leased, and when it is released for another attempt. */
  claimed: Sql
  retried: Sql
  /** The same if the attempt was interrupted, so that it does not count. */
  postponed: Sql
  ended(state: string, error?: string | null): Sql
  /** Statements that follow a change of the rows in `changed`. */
  followed?: Sql
}

const LEASE_END = sql`leased_until = now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`
export const NO_LEASE = sql`leased_by = null, leased_until = null`

/** For rows that count their attempts. */
export function changesOf(column: 'state' | 'status', { started = sql``, cleared = sql`` } = {}) {
  const state = sql.ref(column)
  return {
    claimed: sql`, ${state} = 'running', attempts = attempts + 1, started_at = coalesce(started_at, now()) ${started}`,
    retried: sql`, ${state} = 'queued' ${cleared}`,
    postponed: sql`, ${state} = 'queued', attempts = greatest(attempts - 1, 0) ${cleared}`,
    ended: (to: string, error?: string | null) =>
      sql`${state} = ${to}, ${NO_LEASE}, finished_at = clock_timestamp() ${cleared}
        ${error === undefined ? sql`` : sql`, error = ${error}`}`,
  }
}

export function isHeld({ id, leased_by }: Held) {
  return sql<boolean>`id = ${id} and leased_by = ${leased_by}`
}

export async function change<Row>(
  db: SystemDb | Trx,
  { table, followed = sql`` }: Pick<Queue, 'table' | 'followed'>,
  { set, where }: { set: Sql; where: Sql },
) {
  const { rows } = await sql<Row>`with changed as (
      update ${sql.table(table)} set ${set} where ${where} returning *
    ) ${followed} select * from changed`.execute(db)
  return rows
}

export async function claim<Row>(db: SystemDb, queue: Queue): Promise<Row | undefined> {
  const { table, isOpen, order, claimed } = queue
  const [row] = await change<Row>(db, queue, {
    set: sql`leased_by = ${randomUUID()}, ${LEASE_END} ${claimed}`,
    where: sql`id = (select id from ${sql.table(table)} where ${isOpen} and (leased_until is null or leased_until < now())
      order by ${order} limit 1 for update skip locked)`,
  })
  return row
}

/** False if the row is no longer ours or was cancelled. */
export async function renew(db: SystemDb, { table, isCancelled }: Queue, row: Held, progress: object | undefined) {
  const saved = progress ? sql`, progress = ${JSON.stringify(progress)}` : sql``
  const { rows } = await sql<{ is_cancelled: boolean }>`update ${sql.table(table)} set ${LEASE_END} ${saved}
    where ${isHeld(row)} returning ${isCancelled ?? sql`false`} as is_cancelled`.execute(db)
  return rows[0]?.is_cancelled === false
}

/** For another server, or the next attempt. */
export async function release(db: SystemDb, queue: Queue, row: Held, set: Sql = queue.postponed) {
  await change(db, queue, { set: sql`${NO_LEASE} ${set}`, where: isHeld(row) })
}

export async function end(db: SystemDb, queue: Queue, row: Held, state: string, error?: string | null) {
  await change(db, queue, { set: queue.ended(state, error), where: isHeld(row) })
}

export async function endCancelled(db: SystemDb, queue: Queue, row: Held) {
  if (!queue.isCancelled) return
  await change(db, queue, { set: queue.ended('cancelled'), where: sql`${isHeld(row)} and ${queue.isCancelled}` })
}
