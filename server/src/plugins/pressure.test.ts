// For the type of isUnderPressure.
import type { App } from './contract.ts'
import '@fastify/under-pressure'
import { setTimeout as wait } from 'node:timers/promises'
import { errorText } from '@watchdesk/contract/errors'
import { expect, onTestFinished, test, vi } from 'vitest'
import { caller, useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { buildApp } from '../app.ts'
import { WARM_UP_MS } from './pressure.ts'

const LIMIT_MS = 100
const watchdesk = useWatchdesk()

test('an event loop that falls behind sheds no load while the server is new, then answers 503 with Retry-After, and recovers by itself', async () => {
  const { deps, admin } = watchdesk
  // The clock that the age of the server is read from, and no other.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await buildApp({ ...deps, env: { ...deps.env, MAX_EVENT_LOOP_DELAY_MS: LIMIT_MS } })
  onTestFinished(() => app.close())
  const call = caller(app, admin.token)
  await app.ready()

  vi.advanceTimersByTime(WARM_UP_MS - 1)
  await fallBehind(app)
  expect((await call('GET', '/api/v1/users/me')).status).toBe(200)

  vi.advanceTimersByTime(1)
  await fallBehind(app)
  const refused = await call('GET', '/api/v1/users/me')
  expect([refused.status, errorText(refused.body)]).toEqual([503, 'The server is overloaded. Try again in a moment.'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await call('GET', '/health/live')).status).toBe(200)

  await expect.poll(async () => (await call('GET', '/api/v1/users/me')).status, { timeout: 20_000 }).toBe(200)
})

/** Blocks the event loop almost completely: its mean delay is checked once a second. */
async function fallBehind(app: App) {
  do {
    const end = Date.now() + 2 * LIMIT_MS
    while (Date.now() < end);
    await wait(0)
  } while (!app.isUnderPressure())
}
