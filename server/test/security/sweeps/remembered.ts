import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import type { App } from '../../../src/deps.ts'
import { isForSessions, isWrite, type Operation } from '../../helpers/operations.ts'
import type { Pair } from '../../helpers/pair.ts'
import { insertUser, openSession } from '../../helpers/people.ts'
import { addressOf, validCall } from '../../helpers/requests.ts'
import { caller, PASSWORD, useWatchdesk } from '../../helpers/watchdesk.ts'

const BODY_LIMIT = 100_000
const WRONG_BODIES = [
  ['{', 'application/json'],
  ['x', 'text/strange'],
  ['{}', 'multipart/form-data'],
  [' '.repeat(BODY_LIMIT + 1), 'application/json'],
] as const

/** Callers whose session and rights the server remembers from a moment ago, when they change. */
export function sweepRemembered(operations: Operation[], pair: Pair) {
  const guarded = operations
    .filter((operation) => operation.access !== 'public' && isForSessions(operation))
    .map((operation) => ({ operation, name: operation.name }))
  const withBody = guarded.filter(({ operation }) => operation.method !== 'GET')

  const watchdesk = useWatchdesk({
    BODY_LIMIT_BYTES: String(BODY_LIMIT),
    IMPORT_BODY_LIMIT_BYTES: String(BODY_LIMIT),
  })
  const workspaces = { home: 0, elsewhere: 0 }
  /** A second server, which has not seen any of the callers yet. */
  let other: App

  beforeAll(async () => {
    other = await buildApp(watchdesk.deps)
    workspaces.home = (await watchdesk.createWorkspace({ name: 'Home' })).id
    workspaces.elsewhere = (await watchdesk.createWorkspace({ name: 'Elsewhere' })).id
  })

  afterAll(() => other.close())

  const ENDING: [string, (person: Person) => Promise<{ status: number }>][] = [
    ['was deleted', ({ id }) => watchdesk.admin('DELETE', `/api/v1/users/${id}`)],
    ['got another password', (person) => edit(person, { password: `${PASSWORD} anew` })],
    ['logged out', logOut],
  ]
  const CHANGES: [string, () => object][] = [
    ['was demoted', () => ({ is_super_admin: false })],
    ['was moved to another workspace', () => ({ workspace_id: workspaces.elsewhere })],
    ['was renamed', () => ({ first_name: 'Renamed' })],
  ]

  /** Both show that a call reads the rights again, so most reads are called after one of them. */
  const attempts = pair(guarded, ({ operation }) => [
    ...ENDING.map(([what, end]) => ({ what, end })),
    ...(isWrite(operation) ? [] : CHANGES.map(([what, change]) => ({ what, change }))),
  ])
  const ended = attempts.map(({ ways, ...each }) => ({ ...each, ways: ways.filter((way) => 'end' in way) }))
  const changed = attempts.map(({ ways, ...each }) => ({ ...each, ways: ways.filter((way) => 'change' in way) }))

  test.each(ended.filter(({ ways }) => ways.length > 0))(
    '$name is refused to a remembered caller whose session has ended',
    async (each) => {
      const { operation, ways } = each
      for (const { what, end } of ways) {
        const person = await makeRemembered()
        expect((await end(person)).status).toBeLessThan(300)
        const address = await addressOf(watchdesk, operation, 'foreign', workspaces.elsewhere)
        const { status } = await person.call(operation.method, address, ...validCall(operation, workspaces.home))
        expect([what, status]).toEqual([what, 401])
      }
    },
  )

  test.each(pair(guarded, ['nonsense'], 0))(
    '$name does not tell a remembered caller who logged out what is wrong with the request',
    async ({ operation }) => {
      const person = await makeRemembered()
      await logOut(person)
      const body = operation.body ? { nonsense: true } : undefined
      const address = operation.path.replace(/\{\w+\}/, 'nonsense')
      expect((await person.call(operation.method, address, body)).status).toBe(401)
    },
  )

  test.each(pair(withBody, WRONG_BODIES, 0))(
    '$name answers nothing else to a remembered caller who logged out, whatever is wrong with the body',
    async ({ operation, ways }) => {
      for (const [body, type] of ways) {
        if (body.length > 100 && operation.form) continue
        const person = await makeRemembered()
        await logOut(person)
        const address = await addressOf(watchdesk, operation, 'foreign', workspaces.elsewhere)
        expect((await person.call(operation.method, address, body, { 'content-type': type })).status).toBe(401)
      }
    },
  )

  test.each(changed.filter(({ ways }) => ways.length > 0))(
    '$name shows a caller who was changed the same as a server that remembers nothing',
    async ({ operation, ways }) => {
      for (const { what, change } of ways) {
        const person = await makeRemembered()
        expect((await edit(person, change())).status).toBe(200)
        const address = await addressOf(watchdesk, operation, 'foreign', workspaces.elsewhere)
        const { status, body } = await person.call(operation.method, address)
        const fresh = await caller(other, person.call.token)(operation.method, address)
        expect([what, status, body]).toEqual([what, fresh.status, fresh.body])
      }
    },
  )

  return { watchdesk, workspaces, makeRemembered, edit, logOut }

  /** A super admin whom the server has just seen, so that it remembers the session and the rights. */
  async function makeRemembered() {
    const account = { workspace_id: workspaces.home, is_admin: true, is_super_admin: true }
    const { id } = await insertUser(watchdesk, account)
    const call = await openSession(watchdesk, id)
    expect((await call('GET', '/api/v1/users/me')).status).toBe(200)
    return { id, call }
  }

  type Person = Awaited<ReturnType<typeof makeRemembered>>

  function edit({ id }: Person, changes: object): Promise<{ status: number }> {
    return watchdesk.admin('PATCH', `/api/v1/users/${id}`, changes)
  }

  function logOut({ call }: Person): Promise<{ status: number }> {
    return call('POST', '/api/v1/logout')
  }
}
