import { setTimeout as wait } from 'node:timers/promises'
import { errorText } from '@watchdesk/contract/errors'
import { expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { type Caller, caller, useWatchdesk } from '../testing/watchdesk.ts'

const watchdesk = useWatchdesk()

test('an event loop that falls behind answers 503 with Retry-After, stays alive, and recovers by itself', async () => {
  const { deps, admin } = watchdesk
  const app = await buildApp({ ...deps, env: { ...deps.env, MAX_EVENT_LOOP_DELAY_MS: 1000 } })
  const call = caller(app, admin.token)
  const refused = await answerOf(503, call, strain)
  expect(errorText(refused.body)).toBe('The server is overloaded. Try again in a moment.')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await call('GET', '/health/live')).status).toBe(200)
  await answerOf(200, call)
  await app.close()
})

async function answerOf(status: number, call: Caller, before = async () => {}) {
  for (let look = 0; look < 100; look++) {
    await before()
    const answer = await call('GET', '/api/v1/users/me')
    if (answer.status === status) return answer
    await wait(50)
  }
  throw new Error(`never ${status}`)
}

/** Blocks the event loop but for moments: it is judged by the mean of its delays within a second. */
async function strain() {
  for (let round = 0; round < 3; round++) {
    const end = performance.now() + 1200
    while (performance.now() < end);
    await wait(0)
  }
}
