import type { Contender } from './contender.ts'
import { COMMON_NAME, PART_OF_EMAIL, pagesOf } from './inputs.ts'
import { median, rounded } from './results.ts'
import { USERS } from './seed.ts'
import { IS_SHORT } from './settings.ts'

const REPETITIONS = IS_SHORT ? 1 : 20
const USER_SORTS = ['id', 'email', 'full_name']
const WORKSPACE_SORTS = ['id', 'name', 'status']
const WORKSPACES = USERS / 100

/** Milliseconds, one request at a time. */
export type Latency = {
  /** By list and order. */
  pages: Record<string, { first: number; middle: number; last: number }>
  filtered: Record<string, number>
}

/** The first, middle and last page in every order, filters and searches, alternately. */
export async function measureLatency({ url, headers }: Contender): Promise<Latency> {
  const orders = [
    ...USER_SORTS.map((sort) => ({ list: 'users', sort, rows: USERS })),
    ...WORKSPACE_SORTS.map((sort) => ({ list: 'workspaces', sort, rows: WORKSPACES })),
  ].flatMap((order) => [order, { ...order, sort: `-${order.sort}` }])
  const paths = new Map<string, string>()
  for (const { list, sort, rows } of orders) {
    const { middle, last } = pagesOf(rows)
    for (const [page, number] of Object.entries({ first: 1, middle, last })) {
      paths.set(`${list} by ${sort}: ${page}`, `${list}/?sort=${sort}&page=${number}`)
    }
  }
  const filtered = {
    'users of a workspace': 'users/?workspace_ids=77',
    'users, search for a part of an email': `users/?search=${PART_OF_EMAIL}`,
    'users, search for a common name': `users/?search=${COMMON_NAME}`,
    'users, search without a match': 'users/?search=nobody@nowhere',
    'workspaces, search for a name': 'workspaces/?search=workspace+77',
  }
  for (const [name, path] of Object.entries(filtered)) paths.set(name, path)

  const times = new Map<string, number[]>()
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    for (const [name, path] of paths) {
      const start = performance.now()
      const response = await fetch(`${url}/api/v1/${path}`, { headers })
      await response.json()
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
      times.set(name, [...(times.get(name) ?? []), performance.now() - start])
    }
  }
  const ms = (name: string) => rounded(median(times.get(name) ?? []))
  return {
    pages: Object.fromEntries(
      orders
        .map(({ list, sort }) => `${list} by ${sort}`)
        .map((name) => [
          name,
          { first: ms(`${name}: first`), middle: ms(`${name}: middle`), last: ms(`${name}: last`) },
        ]),
    ),
    filtered: Object.fromEntries(Object.keys(filtered).map((name) => [name, ms(name)])),
  }
}
