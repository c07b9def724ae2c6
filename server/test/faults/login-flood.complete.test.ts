import { beforeAll, expect, test } from 'vitest'
import { PASSWORD, useWatchdesk } from '../helpers/watchdesk.ts'

const LOGINS = 500

/** With `npm run crash`, all sign-ins reach the password check; otherwise most exceed the limit per address. */
const watchdesk = useWatchdesk({ LOGIN_RATE_LIMIT: process.env.LOGIN_RATE_LIMIT ?? '60' }, { hasRealHashes: true })
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
