import { errorText } from '@watchdesk/contract/errors'
import type { Page } from '@watchdesk/contract/page'
import type { User } from '@watchdesk/contract/users'
import { beforeAll, describe, expect, test } from 'vitest'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const PEOPLE = [
  ['Anna', 'Kovalenko', 'anna.k@example.com'],
  ['Bohdan', 'Шевченко', 'bohdan_s@example.com'],
  ['Carla', 'Diaz', 'c.diaz@example.org'],
  ['dmytro', 'ÄRGER', 'Dmytro@Example.org'],
  ['Eve', '100% Sure', 'eve@example.net'],
  ['Fox', 'Back\\slash', 'fox@example.net'],
] as const

let first: number
let second: number

/** Inserted directly, because hashing a password for each would take longer than the tests. */
async function insert(workspace_id: number, people: readonly (readonly [string, string, string])[]) {
  const { db } = watchdesk.database
  const defaults = { workspace_id, password_hash: '-', is_admin: false, is_super_admin: false, updated_by: null }
  await db
    .insertInto('users')
    .values(
      people.map(([first_name, last_name, email]) => ({
        ...defaults,
        first_name,
        last_name,
        email,
        type: 'STANDARD' as const,
        language: '' as const,
      })),
    )
    .execute()
}

beforeAll(async () => {
  first = (await watchdesk.createWorkspace()).id
  second = (await watchdesk.createWorkspace()).id
  await insert(first, PEOPLE)
  const many = Array.from({ length: 45 }, (_, index) => ['Many', `User ${index}`, `many${index}@second.test`] as const)
  await insert(second, many)
})

function list(query: string) {
  return watchdesk.admin<Page<User>>('GET', `/api/v1/users/?${query}`)
}

async function names(query: string) {
  const { body } = await list(`workspace_ids=${first}&${query}`)
  return body.objects.map(({ first_name }) => first_name)
}

describe('paging', () => {
  test('starts at page 1 with 20 of all users, by id', async () => {
    const { status, body } = await list('')
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 52, size: 20 })
    expect(body.objects.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  test('returns every user exactly once across all pages', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`page=${page}&page_size=17`)))
    expect(pages.map(({ body }) => [body.objects.length, body.total, body.size])).toEqual([
      [17, 52, 17],
      [17, 52, 17],
      [17, 52, 17],
      [1, 52, 17],
    ])
    const ids = pages.flatMap(({ body }) => body.objects.map(({ id }) => id))
    expect(ids).toEqual(Array.from({ length: 52 }, (_, index) => index + 1))
  })

  test.each(['page=4', 'page=2147483647', 'page=53&page_size=1', `page=2&workspace_ids=${2_000_000_000}`])(
    'past the end (%s) is empty with the true total',
    async (query) => {
      const { status, body } = await list(query)
      expect([status, body.objects]).toEqual([200, []])
      expect(body.total).toBe(query.includes('workspace_ids') ? 0 : 52)
    },
  )

  test.each([1, 100])('accepts a page size of %i', async (size) => {
    const { body } = await list(`page_size=${size}`)
    expect([body.objects.length, body.size]).toEqual([Math.min(size, 52), size])
  })

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=one',
    'page=',
    'page=99999999999',
    'page_size=0',
    'page_size=101',
    'page_size=1e1',
    'page=1&page=2',
    'size=5',
    'sort=password',
    'sort=--id',
    'workspace_ids=x',
    'workspace_ids=1,,2',
    'search=%00',
  ])('refuses %s and names the field', async (query) => {
    const response = await list(query)
    expect(response.status).toBe(422)
    expect(errorText(response.body)).toMatch(new RegExp(`${query.split('=')[0]}`))
  })
})

describe('workspace_ids', () => {
  test.each([
    ['one', () => `workspace_ids=${first}`, 6],
    ['repeated', () => `workspace_ids=${first}&workspace_ids=${second}`, 51],
    ['separated by commas', () => `workspace_ids=${first},${second}`, 51],
    ['both ways, one of them twice', () => `workspace_ids=${first},${second}&workspace_ids=${first}`, 51],
    ['one that does not exist', () => `workspace_ids=${first},2000000000`, 6],
    ['with brackets', () => `workspace_ids[]=${first}&workspace_ids%5B%5D=${second}`, 51],
    ['an empty one, which is no filter', () => 'workspace_ids=', 52],
    ['an empty one with brackets', () => 'workspace_ids[]=', 52],
  ])('%s', async (_how, query, total) => {
    expect((await list(query())).body.total).toBe(total)
  })
})

describe('search', () => {
  test.each([
    ['oval', ['Anna']],
    ['ANNA.K@', ['Anna']],
    ['anna kov', ['Anna']],
    ['example.org', ['Carla', 'dmytro']],
    ['шевч', ['Bohdan']],
    ['ШЕВЧЕНКО', ['Bohdan']],
    ['ärger', ['dmytro']],
    ['%', ['Eve']],
    ['100%', ['Eve']],
    ['_', ['Bohdan']],
    ['n_s', ['Bohdan']],
    ['\\', ['Fox']],
    ['k\\s', ['Fox']],
    ["'; drop table users; --", []],
    ['a%a', []],
  ])('for %s finds %j', async (text, found) => {
    expect(await names(`search=${encodeURIComponent(text)}`)).toEqual(found)
  })

  test('has its own total and pages', async () => {
    const { body } = await list('search=SECOND.test&page=3&page_size=20')
    expect([body.objects.length, body.total]).toEqual([5, 45])
  })

  test('with an empty text finds all', async () => {
    expect((await list('search=')).body.total).toBe(52)
  })
})

describe('sort', () => {
  test.each([
    ['id', ['Anna', 'Bohdan', 'Carla', 'dmytro', 'Eve', 'Fox']],
    ['email', ['Anna', 'Bohdan', 'Carla', 'dmytro', 'Eve', 'Fox']],
    ['full_name', ['Anna', 'Bohdan', 'Carla', 'dmytro', 'Eve', 'Fox']],
  ])('by %s goes up, and down with a minus, whatever the letter case', async (field, order) => {
    expect(await names(`sort=${field}`)).toEqual(order)
    expect(await names(`sort=-${field}`)).toEqual([...order].reverse())
  })

  test('is by the requested field', async () => {
    const { id } = await watchdesk.createWorkspace()
    await insert(id, [
      ['Zoe', 'One', 'a@third.test'],
      ['Adam', 'Two', 'c@third.test'],
      ['Mia', 'Three', 'b@third.test'],
    ])
    const order = async (sort: string) =>
      (await list(`workspace_ids=${id}&sort=${sort}`)).body.objects.map(({ first_name }) => first_name)
    expect(await order('id')).toEqual(['Zoe', 'Adam', 'Mia'])
    expect(await order('email')).toEqual(['Zoe', 'Mia', 'Adam'])
    expect(await order('full_name')).toEqual(['Adam', 'Mia', 'Zoe'])
    expect(await order('-full_name')).toEqual(['Zoe', 'Mia', 'Adam'])
  })
})
