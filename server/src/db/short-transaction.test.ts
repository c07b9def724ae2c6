import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '../../test/helpers/watchdesk.ts'
import type { Database } from './open.ts'
import { ConditionFailed, shortTransaction } from './short-transaction.ts'

let database: Database
beforeAll(async () => {
  database = await cloneDatabase()
  await database.pool.query('create table things (id int primary key)')
})
beforeEach(() => database.pool.query('truncate things'))
afterAll(() => database.close())

const insert = (id: number) => sql<{ id: number }>`insert into things values (${id}) returning id`
const last = (id: number) => ({ compile: () => insert(id).compile(database.db) })

async function kept() {
  return (await database.pool.query('select id from things order by id')).rows.map(({ id }) => id)
}

test('keeps all that its statements did, and returns the rows of the last one', async () => {
  const rows = await shortTransaction(database.pool, async ({ trx, finish }) => {
    await insert(1).execute(trx)
    return finish(last(2))
  })
  expect([rows, await kept()]).toEqual([[{ id: 2 }], [1, 2]])
})

test('needs neither statements nor a last one', async () => {
  expect(await shortTransaction(database.pool, async () => 'nothing')).toBe('nothing')
  await shortTransaction(database.pool, ({ trx }) => insert(1).execute(trx))
  expect(await kept()).toEqual([1])
})

test('keeps nothing if the work, its first statement or its last one fails, and the connection stays usable', async () => {
  const { pool } = database
  const failing = [
    shortTransaction(pool, async ({ trx }) => {
      await insert(1).execute(trx)
      throw new Error('The work failed')
    }),
    shortTransaction(pool, async ({ trx }) => {
      await sql`select 1 / ${0}::int`.execute(trx)
    }),
    shortTransaction(pool, async ({ trx, finish }) => {
      await insert(2).execute(trx)
      return finish(last(2))
    }),
    shortTransaction(pool, async ({ finish }) =>
      finish({ compile: () => sql`select 1 / ${0}::int`.compile(database.db) }),
    ),
  ]
  const messages = (await Promise.allSettled(failing)).map(
    (result) => result.status === 'rejected' && result.reason.message,
  )
  expect(messages).toEqual([
    'The work failed',
    'division by zero',
    'duplicate key value violates unique constraint "things_pkey"',
    'division by zero',
  ])
  expect(await kept()).toEqual([])
  const { rows } = await pool.query(`select count(*)::int as open from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`)
  expect(rows).toEqual([{ open: 0 }])
})

test('keeps nothing if a value cannot be sent, and later transactions succeed', async () => {
  const withValue = (value: unknown) => ({
    compile: () => sql`insert into things select 3 where ${value}::jsonb is not null`.compile(database.db),
  })
  const transaction = (value: unknown) =>
    shortTransaction(database.pool, async ({ trx, finish }) => {
      await insert(1).execute(trx)
      return finish(withValue(value))
    })
  for (let time = 0; time < 3; time += 1) await expect(transaction({ big: 1n })).rejects.toThrow('BigInt')
  expect(await kept()).toEqual([])
  await transaction({ big: 1 })
  expect(await kept()).toEqual([1, 3])
})

const condition = (holds: boolean, onHolding = () => {}) => ({
  statement: {
    key: 'condition',
    values: { divisor: Number(holds) },
    build: ({ divisor }: { divisor: number }) => ({
      compile: () => sql`select 1 / ${divisor}::int`.compile(database.db),
    }),
  },
  onHolding,
})

test.each(['finish', 'run'] as const)('with a condition that fails, keeps nothing: %s', async (way) => {
  const transaction = shortTransaction(
    database.pool,
    async ({ trx, finish }) => (way === 'finish' ? finish(last(1)) : insert(1).execute(trx)),
    condition(false),
  )
  await expect(transaction).rejects.toBeInstanceOf(ConditionFailed)
  await expect(shortTransaction(database.pool, async () => 'nothing', condition(false))).rejects.toBeInstanceOf(
    ConditionFailed,
  )
  expect(await kept()).toEqual([])
})

test('says that its condition holds, even if the work fails', async () => {
  let times = 0
  const holding = condition(true, () => {
    times += 1
  })
  expect(await shortTransaction(database.pool, ({ finish }) => finish(last(1)), holding)).toEqual([{ id: 1 }])
  await expect(shortTransaction(database.pool, ({ finish }) => finish(last(1)), holding)).rejects.toThrow('duplicate')
  expect([times, await kept()]).toEqual([2, [1]])
})

test('refuses statements after the last one', async () => {
  const late = shortTransaction(database.pool, async ({ trx, finish }) => {
    await finish(last(1))
    await insert(2).execute(trx)
  })
  await expect(late).rejects.toThrow('This transaction is over')
  expect(await kept()).toEqual([1])
})

test('fails if the connection breaks, and the next one succeeds', async () => {
  const broken = shortTransaction(database.pool, async ({ trx, finish }) => {
    await insert(1).execute(trx)
    await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`)
    return finish(last(2))
  })
  await expect(broken).rejects.toThrow(/terminat|not queryable|EPIPE/)
  expect(await kept()).toEqual([])
  await shortTransaction(database.pool, ({ trx }) => insert(3).execute(trx))
  expect(await kept()).toEqual([3])
})
