import { expect, test } from 'vitest'
import { type Caller, PASSWORD, useWatchdesk } from '../../test/helpers/watchdesk.ts'

const LIMIT = 20
const watchdesk = useWatchdesk({ EXPENSIVE_RATE_LIMIT: String(LIMIT) })

const download = (call: Caller) => call('GET', '/api/v1/users/file?format=csv')
const isLimited = ({ status }: { status: number }) => status === 429

test('a user who makes many expensive calls has to wait, which limits neither cheap calls nor other users', async () => {
  const [one, other] = [await watchdesk.createUser({ is_admin: true }), await watchdesk.createUser({ is_admin: true })]
  const [call, second] = [await watchdesk.signIn(one.email), await watchdesk.signIn(one.email)]
  for (let n = 0; n < LIMIT; n += 1) expect((await download(call)).status).toBe(200)
  const refused = await download(call)
  expect(refused).toMatchObject({
    status: 429,
    body: { detail: 'You made too many calls like this. Wait a minute and try again.' },
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
  // Another session of the same user, and another expensive call, are limited together with it.
  expect(await download(second)).toSatisfy(isLimited)
  const password = { password: 'another staple 8', current_password: PASSWORD }
  expect(await call('POST', '/api/v1/account/password', password)).toSatisfy(isLimited)
  expect(await call('PATCH', `/api/v1/users/${one.id}`, password)).toSatisfy(isLimited)
  // It was not changed.
  await watchdesk.signIn(one.email)

  expect((await call('GET', '/api/v1/users/')).status).toBe(200)
  expect((await call('PATCH', `/api/v1/users/${one.id}`, { first_name: 'Hanna' })).status).toBe(200)
  expect((await download(await watchdesk.signIn(other.email))).status).toBe(200)
})

test('without a session, the limit of nobody is used up', async () => {
  for (let n = 0; n <= LIMIT; n += 1) expect((await download(watchdesk.anonymous)).status).toBe(401)
})
