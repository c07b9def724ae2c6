import { beforeAll, expect, test } from 'vitest'
import { readEnv } from '../../src/env.ts'
import { createPasswords, type Passwords } from '../../src/modules/session/passwords.ts'
import { createSemaphores, Semaphore, tooManySignIns } from '../../src/semaphore.ts'
import { PASSWORD, useWatchdesk } from '../helpers/watchdesk.ts'

const LOGINS = 500

/** With `npm run crash`, all sign-ins reach the password check; otherwise most exceed the limit per address. */
const watchdesk = useWatchdesk({ LOGIN_RATE_LIMIT: process.env.LOGIN_RATE_LIMIT ?? '60' })
let url: string

beforeAll(async () => {
  url = await watchdesk.app.listen({ host: '127.0.0.1', port: 0 })
})

async function login(email: string) {
  const response = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  await response.json()
  return { status: response.status, retryAfter: response.headers.get('retry-after') }
}

test.each([
  ['of sign-ins', 5, (passwords: Passwords) => passwords.verify(undefined, PASSWORD)],
  ['that are set', 4, (passwords: Passwords) => passwords.hash(PASSWORD)],
])(
  'passwords %s are hashed a few at a time, a few wait for that, and the rest are turned away',
  async (_, most, work) => {
    const env = readEnv({})
    const small = (limit: number) => new Semaphore({ limit, maxWaiting: 3, refuse: tooManySignIns })
    const semaphores = { ...createSemaphores(env), signInHashes: small(2), passwordHashes: small(1) }
    const passwords = createPasswords(env, semaphores)
    await work(passwords)
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => work(passwords)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(most)
    for (const result of results) if (result.status === 'rejected') expect(result.reason.status).toBe(503)
    expect(await passwords.hash(PASSWORD)).toMatch(/^\$argon2id\$/)
  },
)

test(`${LOGINS} concurrent sign-ins are each checked or rejected with 429 or 503, while other calls get a response`, async () => {
  let isOver = false
  const flood = Promise.all(Array.from({ length: LOGINS }, (_, index) => login(`nobody-${index}@example.com`))).finally(
    () => {
      isOver = true
    },
  )
  let reads = 0
  while (!isOver) {
    expect((await watchdesk.admin('GET', '/api/v1/users/')).status).toBe(200)
    expect((await watchdesk.anonymous('GET', '/')).status).toBe(200)
    if (!isOver) reads += 1
  }
  const responses = await flood
  const refused = responses.filter(({ status }) => status !== 401)
  for (const { status, retryAfter } of refused) {
    expect([429, 503]).toContain(status)
    expect(Number(retryAfter)).toBeGreaterThan(0)
  }
  expect(reads).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(LOGINS)
  if (process.env.LOGIN_RATE_LIMIT) console.log({ refused: refused.length, checked: LOGINS - refused.length, reads })
})
