import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { checkKeys, compileOnce } from './compile-once.ts'

const db = new Kysely<{ things: { id: number; name: string | null; tags: string[]; at: Date } }>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (any) => new PostgresIntrospector(any),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

test('a query is built once, and each call gets its own values', () => {
  checkKeys(false)
  onTestFinished(() => checkKeys())
  let built = 0
  const find = (id: number, name: string | null) =>
    compileOnce({
      key: 'find',
      values: { id, row: { name } },
      build: (values) => {
        built += 1
        return db.selectFrom('things').select('id').where('id', '=', values.id).where('name', '=', values.row.name)
      },
    })
  const text = 'select "id" from "things" where "id" = $1 and "name" = $2'
  expect(find(1, 'one')).toEqual({ sql: text, parameters: [1, 'one'] })
  expect(find(2, null)).toEqual({ sql: text, parameters: [2, null] })
  expect(built).toBe(1)
})

test('arrays, dates and bytes are one value each; rows of an insert and expressions are part of the text', () => {
  const insert = (rows: { id: number; tags: string[]; at: Date }[]) =>
    compileOnce({
      key: `insert ${rows.length}`,
      values: { rows: rows.map((row) => ({ ...row, name: sql<string>`now()::text` })) },
      build: (values) => db.insertInto('things').values(values.rows),
    })
  const at = new Date(0)
  const two = [
    { id: 1, tags: ['a'], at },
    { id: 2, tags: [], at },
  ]
  expect(insert(two)).toEqual({
    sql: 'insert into "things" ("id", "tags", "at", "name") values ($1, $2, $3, now()::text), ($4, $5, $6, now()::text)',
    parameters: [1, ['a'], at, 2, [], at],
  })
  expect(insert(two.slice(1)).parameters).toEqual([2, [], at])
})

test('in tests, a key that lacks something that changes the text is noticed', () => {
  checkKeys()
  const find = (column: 'id' | 'name') =>
    compileOnce({ key: 'column', values: {}, build: () => db.selectFrom('things').select(column) })
  find('id')
  expect(() => find('name')).toThrow('Two different queries have the key "column"')
})
