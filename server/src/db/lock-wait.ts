import { CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import type { Actor } from '../actor.ts'
import { Problem } from '../problem.ts'
import { APPLICATION } from './embedded.ts'
import type { SystemDb, Trx } from './open.ts'

const LOCK_WAIT_MS = 2000

const LOCK_NOT_AVAILABLE = '55P03'

export async function waitBriefly(trx: Trx) {
  await sql`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`.execute(trx)
}

/** The time limit is sent together with `begin`: one round trip less for every edit. */
export function briefTransaction<Result>(db: SystemDb, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  return db.connection().execute(async (connection) => {
    const trx = connection as Trx
    await trx.executeQuery(BEGIN)
    try {
      const result = await work(trx)
      await trx.executeQuery(COMMIT)
      return result
    } catch (error) {
      // A broken connection cannot roll back, and need not.
      await trx.executeQuery(ROLLBACK).catch(() => {})
      throw error
    }
  })
}

const BEGIN = CompiledQuery.raw(`begin; set local lock_timeout = ${LOCK_WAIT_MS}`)
const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

/** Shows others who wait for the transaction whose it is. */
export function madeBy(user_id: number) {
  return sql`set_config('application_name', ${`${APPLICATION} ${user_id}`}, true)`
}

/** Only those who see all workspaces see the name: the change that began first may be of another workspace. */
export async function nameBlocker<Result>(
  db: SystemDb,
  { seesEverything }: Pick<Actor, 'seesEverything'>,
  written: Promise<Result>,
): Promise<Result> {
  try {
    return await written
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error
    const { rows } = await sql<{ name: string }>`select full_name as name from pg_stat_activity
      join users on users.id = substring(application_name from ${`^${APPLICATION} (\\d+)$`})::int
      where ${seesEverything} and datname = current_database()
        and xact_start < now() - make_interval(secs => ${LOCK_WAIT_MS / 1000})
      order by xact_start limit 1`.execute(db)
    const who = rows[0] ? `${rows[0].name} is changing many records` : 'Someone else is changing this'
    throw new Problem(423, `${who} right now. Try again in a moment.`, { 'retry-after': '5' })
  }
}
