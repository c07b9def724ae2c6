import { sql } from 'kysely'
import { hasNoPlaces, LIVE_CHANGE, type Order, orderOf } from './list-places.ts'
import { LISTS, type ListedTable } from './lists.ts'
import { allowTime } from './long.ts'
import type { SystemDb, Trx } from './open.ts'

/** Every page adds up the changes, so there should be few. */
const MAX_CHANGES = 1000
/** The number of rows between two places. A page is found by skipping about as many. */
const ROWS_BETWEEN = 4096
const TIME_MS = 10 * 60 * 1000
const SERIALIZATION_FAILURE = '40001'

/**
 * Compacts the lists with many changes, and those that have no places yet. Safe to run on every replica at the same
 * time.
 */
export async function compactLists(db: SystemDb, { maxChanges = MAX_CHANGES, rowsBetween = ROWS_BETWEEN } = {}) {
  // A newer release may have added other lists.
  const known = Object.keys(LISTS) as ListedTable[]
  const { rows } = await sql<{ list: ListedTable }>`select list from list_totals as total where list = any(${known})
    and (exists (select from list_changes where list = total.list offset ${maxChanges})
      or exists (select from list_changes where list = total.list and live_change is not null)
      or live > ${2 * rowsBetween} and not exists (select from list_places where list = total.list))`.execute(db)
  for (const { list } of rows) await compact(db, list, rowsBetween)
  await compactStories(db)
}

/** Stories are only counted. A change is removed and added to the total in one statement, so it always counts once. */
async function compactStories(db: SystemDb) {
  const change = db.selectFrom('list_changes').where('list', '=', 'stories').select('id').limit(1)
  if ((await change.execute()).length === 0) return
  await db.transaction().execute(async (trx) => {
    const total = trx.selectFrom('list_totals').where('list', '=', 'stories').forUpdate().skipLocked().select('live')
    if ((await total.execute()).length === 0) return
    await sql`with moved as (delete from list_changes where list = 'stories' returning live_change)
      update list_totals set live = live + (select coalesce(sum(live_change), 0) from moved)
      where list = 'stories'`.execute(trx)
  })
}

/**
 * Moves the changes of a list into its total and the ranks of its places. All of it happens in one snapshot, so readers
 * see either the changes or their result, and changes committed meanwhile stay.
 */
async function compact(db: SystemDb, list: ListedTable, rowsBetween: number) {
  const work = db.transaction().setIsolationLevel('repeatable read')
  await work
    .execute(async (trx) => {
      await allowTime(trx, TIME_MS)
      // Another server may have just compacted the list, which fails with a serialization failure, or be at it.
      const totals = await trx
        .selectFrom('list_totals')
        .where('list', '=', list)
        .forUpdate()
        .skipLocked()
        .select('live')
        .execute()
      if (totals.length === 0) return
      const orders = ['id', ...Object.keys(LISTS[list].keys)].map((sort) => orderOf(list, sort))
      const { rows } = await sql<{ isLarge: boolean }>`select ${hasNoPlaces(list)} as "isLarge"`.execute(trx)
      const isLarge = rows[0]?.isLarge ?? false
      if (isLarge) await trx.deleteFrom('list_places').where('list', '=', list).execute()
      else for (const order of orders) await movePlaces(trx, order)
      await sql`update list_totals set live = live + (select ${LIVE_CHANGE} from list_changes where list = ${list})
      where list = ${list}`.execute(trx)
      await trx.deleteFrom('list_changes').where('list', '=', list).execute()
      for (const order of orders) await addPlaces(trx, order, rowsBetween)
      if (isLarge) {
        for (const order of orders) await readEnds(trx, order)
        // Otherwise plans follow the former rows for a minute. Skipped while the table is vacuumed, and by PostgreSQL if the
        // server does not own the table.
        await sql`analyze (skip_locked) ${sql.table(list)}`.execute(trx)
      }
    })
    .catch((error) => {
      if (error.code !== SERIALIZATION_FAILURE) throw error
    })
}

/** Adds the changes before each place to its rank. */
async function movePlaces(trx: Trx, { table, sort, keyIn }: Order) {
  await sql`update list_places as place set rank = place.rank + moved.change from (
      select key, id, is_place, sum(change) over (order by key, id, is_place desc rows unbounded preceding) as change from (
        select key, id, true as is_place, 0 as change from list_places where list = ${table} and sort = ${sort}
        union all select ${keyIn('after')}, id, false, 1 from list_changes where list = ${table} and after is not null
        union all select ${keyIn('before')}, id, false, -1 from list_changes where list = ${table} and before is not null
      ) as changes
    ) as moved
    where is_place and moved.change <> 0 and place.list = ${table} and place.sort = ${sort}
      and place.key = moved.key and place.id = moved.id`.execute(trx)
}

/**
 * Reads the first and the last row. The entries of former rows that come before them in an index are marked as dead, so
 * that the first page after this skips them quickly.
 */
async function readEnds(trx: Trx, { table, live, key }: Order) {
  const row = sql`select ${key} as key, ${sql.ref(`${table}.id`)} as id from ${sql.table(table)} where ${live}`
  await sql`(${row} order by key, id limit 1) union all (${row} order by key desc, id desc limit 1)`.execute(trx)
}

/** Where there are too many rows up to the next place. */
async function addPlaces(trx: Trx, { table, sort, live, key, isAt }: Order, rowsBetween: number) {
  await sql`insert into list_places (list, sort, rank, key, id)
    select ${table}, ${sort}, gap.rank + row.number, row.key, row.id from (
      select rank, key, id, lead(rank, 1, (select live from list_totals where list = ${table}))
        over (order by key, id) - rank as length
      from (select rank, key, id from list_places where list = ${table} and sort = ${sort} union all select 0, '', 0) as places
    ) as gap, lateral (
      select key, id, row_number() over (order by key, id) - 1 as number from (
        select ${key} as key, ${sql.ref(`${table}.id`)} as id from ${sql.table(table)}
        where ${live} and ${isAt('>=', 'gap')} order by key, id limit gap.length
      ) as rows
    ) as row
    where gap.length > ${2 * rowsBetween}::bigint and row.number > 0 and row.number % ${rowsBetween}::bigint = 0`.execute(
    trx,
  )
}
