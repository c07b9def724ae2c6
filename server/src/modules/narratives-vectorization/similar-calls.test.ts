import { errorText } from '@watchdesk/contract/errors'
import type { SimilarStories } from '@watchdesk/contract/narratives-vectorization'
import type { PoolClient } from 'pg'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { insertNarrative, untilRunsEnd } from '../../../test/helpers/narratives.ts'
import { type Caller, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { createDice } from '../../commands/demo-data.ts'
import { makeStories } from '../../commands/demo-stories.ts'

const watchdesk = useWatchdesk({}, { isListening: true })
// More than one statement reads.
const stories = [1, 2, 3, 4, 5, 6].flatMap((seed) => makeStories(createDice(seed)).map(({ story }) => ({ story })))
const TEXTS = ['Банки в Полтаві', 'flood in the town', 'ціни на газ', 'мобілізація']
const CALLS = 12
/** Long enough for a busy machine. */
const PATIENCE = { timeout: 20_000 }

beforeAll(async () => {
  await insertNarrative(watchdesk, 1, stories)
  watchdesk.deps.vectorizing.start(() => {})
  const run = { narrative_id: 1, platforms: [], content_types: [] }
  await watchdesk.admin('POST', '/api/v1/airflow/vectorize-narrative', run)
  await untilRunsEnd(watchdesk)
})

const path = (text: string) => `/api/v1/narratives/1/similar?text=${encodeURIComponent(text)}`
const ask = (text: string, caller: Caller = watchdesk.admin) => caller<SimilarStories>('GET', path(text))

/** New comparisons wait until the work has ended. */
async function whileVectorsAreLocked(work: (unlock: () => Promise<unknown>) => Promise<void>) {
  const blocker: PoolClient = await watchdesk.database.pool.connect()
  try {
    await blocker.query('begin; lock table story_vectors in access exclusive mode')
    await work(() => blocker.query('commit'))
  } finally {
    await blocker.query('rollback')
    blocker.release()
  }
}

/** The number of comparisons that are reading vectors or waiting for it. */
async function readers() {
  const { rows } = await watchdesk.database.pool.query(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'copy %'`,
  )
  return rows[0]?.count
}

test('of concurrent calls, two compare at a time, and each gets its own result', async () => {
  const alone: SimilarStories[] = []
  for (const text of TEXTS) alone.push((await ask(text)).body)
  expect(new Set(alone.map(({ nearest }) => nearest[0]?.id)).size).toBe(TEXTS.length)
  await whileVectorsAreLocked(async (unlock) => {
    const asked = TEXTS.map((text) => ask(text))
    await expect.poll(readers, PATIENCE).toBe(2)
    await unlock()
    const responses = await Promise.all(asked)
    expect(responses.map(({ status }) => status)).toEqual(TEXTS.map(() => 200))
    expect(responses.map(({ body }) => body)).toEqual(alone)
  })
})

test('vectors saved by an earlier release are compared in the same way', async () => {
  const { pool } = watchdesk.database
  const { rows } = await pool.query('select count(*)::int as count from story_vectors where packed is not null')
  expect(rows).toEqual([{ count: stories.length }])
  const before = await Promise.all(TEXTS.map((text) => ask(text)))
  await pool.query('update story_vectors set packed = null where story_id % 3 = 0')
  const mixed = await Promise.all(TEXTS.map((text) => ask(text)))
  expect(mixed.map(({ body }) => body)).toEqual(before.map(({ body }) => body))
})

test('a vector overwritten by an earlier release is the one that is compared', async () => {
  const { pool } = watchdesk.database
  await insertNarrative(watchdesk, 2, [{ story: 'ціни на газ' }, { story: 'flood in the town' }])
  await watchdesk.admin('POST', '/api/v1/airflow/vectorize-narrative', {
    narrative_id: 2,
    platforms: [],
    content_types: [],
  })
  await untilRunsEnd(watchdesk)
  const [gas, flood] = (await pool.query('select id from stories where narrative_id = 2 order by id')).rows
  const address = `/api/v1/narratives/2/similar?text=${encodeURIComponent('ціни на газ')}&limit=1`
  const nearest = async () => (await watchdesk.admin<SimilarStories>('GET', address)).body.nearest[0]?.id
  expect(await nearest()).toBe(gas.id)
  await pool.query(
    `update story_vectors as one set vector = other.vector from story_vectors as other
      where one.story_id = any($1) and other.story_id = any($1) and one.story_id <> other.story_id`,
    [[gas.id, flood.id]],
  )
  expect(await nearest()).toBe(flood.id)
})

test('a caller who loses access while others wait for the same vectors gets 401 or 403, and the others get their results', async () => {
  const users = await Promise.all([1, 2].map(() => watchdesk.createUser({ is_admin: true, is_super_admin: true })))
  const [leaving, demoted] = await Promise.all(users.map(({ email }) => watchdesk.signIn(email)))
  const stranger = await watchdesk.signIn((await watchdesk.createUser({ is_admin: true })).email)
  if (!leaving || !demoted) throw new Error('Nobody is signed in')
  await whileVectorsAreLocked(async (unlock) => {
    const asked = [ask('газ'), ask('газ', leaving), ask('газ', demoted)]
    await expect.poll(readers, PATIENCE).toBe(2)
    expect((await ask('газ', stranger)).status).toBe(403)
    expect((await ask('газ', watchdesk.anonymous)).status).toBe(401)
    await leaving('POST', '/api/v1/logout')
    await watchdesk.database.pool.query('update users set is_super_admin = false where id = $1', [users[1]?.id])
    await unlock()
    const responses = await Promise.all(asked)
    expect(responses.map(({ status }) => status)).toEqual([200, 401, 403])
    expect(responses.slice(1).map(({ body }) => Object.keys(body))).toEqual([['detail'], ['detail']])
  })
})

test('calls whose clients have disconnected no longer count', async () => {
  await whileVectorsAreLocked(async (unlock) => {
    const clients = new AbortController()
    const authorization = `Bearer ${watchdesk.admin.token}`
    const asked = Array.from({ length: CALLS + 1 }, () =>
      fetch(`${watchdesk.url}${path('газ')}`, { headers: { authorization }, signal: clients.signal }).then(
        ({ status }) => status,
        () => 'gone',
      ),
    )
    expect(await Promise.race(asked)).toBe(503)
    clients.abort()
    expect((await Promise.all(asked)).filter((response) => response === 'gone').length).toBe(CALLS)
    await expect.poll(async () => (await refusedOrWaiting()).refusal, PATIENCE).toBeUndefined()
    await unlock()
  })
})

test('a call without a result after 25 s gets 503', async () => {
  await whileVectorsAreLocked(async (unlock) => {
    const { setTimeout } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number) =>
      setTimeout(work, ms === 25_000 ? 100 : ms)) as typeof setTimeout)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await ask('газ')).toMatchObject({ status: 503, body: { detail: expect.stringContaining('takes too long') } })
    vi.restoreAllMocks()
    await unlock()
  })
  expect((await ask('газ')).status).toBe(200)
})

/** Returns whether a call is rejected before a few others finish, or waits. */
async function refusedOrWaiting() {
  const call = ask('газ').then(({ body }) => ({ refusal: errorText(body) }))
  const others = async () => {
    for (let count = 0; count < 10; count += 1) await watchdesk.admin('GET', '/api/v1/users/')
    return { refusal: undefined }
  }
  return Promise.race([call, others()])
}
