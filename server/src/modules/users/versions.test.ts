import { errorText } from '@watchdesk/contract/errors'
import type { User } from '@watchdesk/contract/users'
import { expect, test } from 'vitest'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

function edit(user: Pick<User, 'id'>, last_name: string, ifMatch: string) {
  return watchdesk.admin<User>('PATCH', `/api/v1/users/${user.id}`, { last_name }, { 'if-match': ifMatch })
}

test('an edit with the current ETag succeeds and returns the next one', async () => {
  const user = await watchdesk.createUser({})
  const read = await watchdesk.admin('GET', `/api/v1/users/${user.id}`)
  const first = await edit(user, 'First', String(read.headers.etag))
  expect([first.status, first.headers.etag]).toEqual([200, '"2"'])
  expect((await edit(user, 'Second', String(first.headers.etag))).headers.etag).toBe('"3"')
})

test('an edit or a delete with an older ETag is 412 with who changed it and when, and changes nothing', async () => {
  const user = await watchdesk.createUser({})
  const started = Date.now()
  const changed = await edit(user, 'Changed', '"1"')
  const removal = await watchdesk.admin('DELETE', `/api/v1/users/${user.id}`, undefined, { 'if-match': '"1"' })
  for (const stale of [await edit(user, 'Stale', '"1"'), removal]) {
    expect(stale.status).toBe(412)
    const [, time] = /^This user was changed by Super Admin at (\S+Z)\.$/.exec(errorText(stale.body)) ?? []
    expect(Date.parse(String(time))).toBeGreaterThanOrEqual(started - 1)
    expect(Date.parse(String(time))).toBeLessThanOrEqual(Date.now() + 1)
  }
  expect((await watchdesk.admin('GET', `/api/v1/users/${user.id}`)).body).toEqual(changed.body)
})

test('the error has the name of the user who made the change', async () => {
  const { email } = await watchdesk.createUser({ first_name: 'Anna', last_name: 'Kovalenko', is_admin: true })
  const user = await watchdesk.createUser({})
  await (await watchdesk.signIn(email))('PATCH', `/api/v1/users/${user.id}`, { last_name: 'Changed' })
  expect(errorText((await edit(user, 'Stale', '"1"')).body)).toMatch(/^This user was changed by Anna Kovalenko at /)
})

test.each(['*', '"1"', '"7", "1"', '"1","7"', ' "7" , "1" '])('If-Match: %s matches version 1', async (ifMatch) => {
  expect((await edit(await watchdesk.createUser({}), 'Changed', ifMatch)).status).toBe(200)
})

test.each(['W/"1"', '"2"', '1', '""', '"7", W/"1"', '"1', '"11"', ''])(
  'If-Match: %s does not fit version 1',
  async (ifMatch) => {
    expect((await edit(await watchdesk.createUser({}), 'Changed', ifMatch)).status).toBe(412)
  },
)

test('a delete with the right ETag succeeds', async () => {
  const user = await watchdesk.createUser({})
  const removal = await watchdesk.admin('DELETE', `/api/v1/users/${user.id}`, undefined, { 'if-match': '"1"' })
  expect(removal.status).toBe(204)
})

test('of 20 concurrent edits with the same ETag exactly one succeeds, and its value is saved', async () => {
  const user = await watchdesk.createUser({})
  const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => edit(user, `Name ${index}`, '"1"')))
  const winners = responses.filter(({ status }) => status === 200)
  expect(winners).toHaveLength(1)
  expect(responses.filter(({ status }) => status === 412)).toHaveLength(19)
  expect((await watchdesk.admin('GET', `/api/v1/users/${user.id}`)).body).toEqual(winners[0]?.body)
})

test('concurrent edits without a version all succeed, and each increments the version', async () => {
  const user = await watchdesk.createUser({})
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { first_name: `Name ${index}` }),
    ),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect((await watchdesk.admin('GET', `/api/v1/users/${user.id}`)).body).toMatchObject({ version: 11 })
})
