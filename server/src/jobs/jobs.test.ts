import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import * as schemas from '@watchdesk/contract/jobs.schema'
import { JOBS_PER_PERSON } from '@watchdesk/contract/limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getJob, postJob, SOURCE_JOBS, STORIES_JOBS, sourceCsv, untilJob } from '../../test/helpers/jobs.ts'
import { holdSources, waitForLocks } from '../../test/helpers/locks.ts'
import { insertUser, openSession } from '../../test/helpers/people.ts'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { createDeps } from '../create-deps.ts'
import { prepareDeps } from '../prepare-deps.ts'
import type { Runner } from './runner.ts'

const watchdesk = useWatchdesk()
let servers: Runner[] = []
let name = ''

beforeEach(() => {
  name = `s${randomUUID().slice(0, 8)}`
})
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  servers = []
})

/** A separate server, as far as jobs are concerned. */
async function start(onError: (error: unknown) => void = () => {}) {
  const { deps } = await createDeps(await prepareDeps(watchdesk.deps.env), watchdesk.database)
  deps.jobs.start(onError)
  servers.push(deps.jobs)
  return deps.jobs
}

async function post(content: string | Buffer, fields?: Record<string, string>, call = watchdesk.admin) {
  const { status, body } = await postJob(call, SOURCE_JOBS, content, fields)
  expect([status, body]).toEqual([202, expect.objectContaining({ state: 'queued' })])
  return body.id
}

/** The rows that jobs of this test have saved. */
async function saved() {
  const { rows } = await watchdesk.database.pool.query(
    `select (select count(*) from sources where url like $1)::int as sources,
       (select count(*) from audit_events where action = 'import' and record_name = $2)::int as events`,
    [`%${name}%`, `${name}.csv`],
  )
  return rows[0]
}

const filesLeft = async (id: number) =>
  (await watchdesk.database.pool.query('select from job_files where job_id = $1', [id])).rowCount
const importOf = async (id: number) =>
  (await watchdesk.database.pool.query('select * from operations where job_id = $1', [id])).rows[0]

const hold = () => holdSources(watchdesk.database.pool, 'access exclusive')

test('the API names all kinds of jobs', () => {
  const names = [...watchdesk.deps.jobs.kinds.keys()].sort()
  expect(names).toEqual(schemas.Job.shape.kind.options.toSorted())
})

test('a file is imported in the background, with the same result as by the call', async () => {
  const counts = { rows_count: '3000', skipped_count: '2' }
  const id = await post(sourceCsv(3000, name), { filename: `${name}.csv`, ...counts })
  expect(await getJob(watchdesk, id)).toMatchObject({
    kind: 'source_import',
    name: `${name}.csv`,
    progress: { step: 'waiting', done: 0, total: null },
    created_by: { id: 1 },
  })
  expect(await importOf(id)).toMatchObject({ state: 'queued', name: `${name}.csv` })
  await start()
  const { sources, import_id, ...job } = await untilJob(watchdesk, id)
  expect(job).toMatchObject({ state: 'done', error: null, progress: null, stories: null })
  expect(sources).toMatchObject({ error_message: null, requested_count: 3000, inputs_count: 3000, import_id })
  expect(await importOf(id)).toMatchObject({ id: import_id, state: 'done', counts: { requested: 3000 } })
  expect((await watchdesk.admin('GET', `/api/v1/imports/${import_id}`)).body).toMatchObject({ skipped_count: 2 })
  expect(await saved()).toEqual({ sources: 3000, events: 1 })
  expect(await filesLeft(id)).toBe(0)
  await expect.poll(async () => (await importOf(id)).verification).toMatchObject({ stored_count: 3000, is_equal: true })
  await expect.poll(() => readdir(`${watchdesk.deps.env.DATA_DIR}/tmp`)).toEqual([])
})

test.each([
  ['a header with an empty name', 'source_url,\nhttps://t.me/a,', 'CSV contains empty column names.'],
  [
    'rows that do not match the header',
    'source_url,source_country\nhttps://t.me/a\nhttps://t.me/b,UA',
    'Invalid file! Header values mismatch in rows: 2.',
  ],
  ['no column for the address', 'url\nhttps://t.me/a', 'The file has no column source_url.'],
  ['no rows', 'source_url\n', 'The file has no rows below its column names.'],
  ['nothing', '\n\n', 'An error occurred while reading the file. It is empty.'],
  ['a damaged workbook', Buffer.from('PK\x03\x04 no workbook'), /^An error occurred while reading the file\. ./],
])('a file with %s ends as failed, with the reason', async (_, content, reason) => {
  const id = await post(content, { filename: `${name}.csv` })
  await start()
  const { state, error } = await untilJob(watchdesk, id)
  expect([state, error]).toEqual(['failed', expect.stringMatching(reason)])
  expect(await importOf(id)).toMatchObject({ state: 'failed', error })
  expect(await filesLeft(id)).toBe(0)
})

describe('a file of stories', () => {
  const HEADER = 'narrative_id,message_composite_id,story,sentiment_score'
  const storiesOf = async (narrative_id: number) =>
    (
      await watchdesk.database.pool.query(
        'select story from stories where narrative_id = $1 and deleted_at is null order by id',
        [narrative_id],
      )
    ).rows.map(({ story }) => story)

  test('is imported in the background, and replaces existing ones if that is wanted', async () => {
    await start()
    for (const [text, remove] of [
      ['old', 'false'],
      ['new', 'true'],
    ] as const) {
      const content = `${HEADER}\n901,TELEGRAM:POST:1,${text} one,0.5\n901,TELEGRAM:POST:2,${text} two,0.5\n`
      const { body } = await postJob(watchdesk.admin, STORIES_JOBS, content, { delete_existing_stories: remove })
      const { state, stories, import_id } = await untilJob(watchdesk, body.id)
      const summary = {
        narrative_id: 901,
        imported_stories_count: 2,
        repeated_stories_count: 0,
        deleted_stories_count: remove === 'true' ? 2 : 0,
      }
      expect([state, stories]).toEqual(['done', expect.objectContaining({ summaries: [summary], import_id })])
    }
    expect(await storiesOf(901)).toEqual(['new one', 'new two'])
  })

  test('with wrong rows fails with the messages of the call, and keeps these rows', async () => {
    await start()
    const content = `${HEADER}\n902,TELEGRAM:POST:1,Fine,0.5\nx,TELEGRAM:POST:2,Wrong,0.5\n`
    const { body } = await postJob(watchdesk.admin, STORIES_JOBS, content)
    const { state, error, import_id } = await untilJob(watchdesk, body.id)
    expect([state, error]).toEqual(['failed', expect.stringMatching(/^Row 3: ./)])
    const rows = await watchdesk.admin('GET', `/api/v1/imports/${import_id}/rows?outcome=invalid`)
    expect(rows.body).toMatchObject({ total: 1, rows: [{ cells: expect.arrayContaining(['3', 'x', 'Wrong']) }] })
    expect(await storiesOf(902)).toEqual([])
  })
})

test('the same call sent twice creates one job', async () => {
  const fields = { filename: `${name}.csv`, key: randomUUID() }
  const content = sourceCsv(2, name)
  const ids = [await post(content, fields), await post(content, fields)]
  expect(new Set(ids).size).toBe(1)
  const other = await postJob(watchdesk.admin, SOURCE_JOBS, `${content}\n`, fields)
  expect(other.status).toBe(422)
  await start()
  await untilJob(watchdesk, ids[0] ?? 0)
  expect(await saved()).toEqual({ sources: 2, events: 1 })
})

test('two servers carry out each of four jobs once', async () => {
  const ids: number[] = []
  for (let index = 0; index < 4; index += 1) {
    ids.push(await post(sourceCsv(20, `${name}_${index}`), { filename: `${name}.csv` }))
  }
  await start()
  await start()
  for (const id of ids) expect(await untilJob(watchdesk, id)).toMatchObject({ state: 'done' })
  expect(await saved()).toEqual({ sources: 80, events: 4 })
})

test('its import is shown while the number of its rows is not known yet', async () => {
  const id = await post(sourceCsv(2, name))
  const progress = { step: 'checking', done: 0, total: null }
  await watchdesk.database.pool.query('update jobs set progress = $1 where id = $2', [progress, id])
  const { id: import_id } = await importOf(id)
  const { status, body } = await watchdesk.admin('GET', `/api/v1/imports/${import_id}`)
  expect([status, body.progress]).toEqual([200, progress])
  expect((await watchdesk.admin('GET', '/api/v1/imports/')).status).toBe(200)
})

describe('cancelling', () => {
  test('ends a waiting job at once', async () => {
    const id = await post(sourceCsv(2, name))
    const { status, body } = await watchdesk.admin('POST', `/api/v1/jobs/${id}/cancel`)
    expect([status, body]).toEqual([200, expect.objectContaining({ state: 'cancelled', progress: null })])
    expect(body.error).toMatch(/^Cancelled by \S/)
    expect(await importOf(id)).toMatchObject({ state: 'cancelled', error: body.error })
    expect(await filesLeft(id)).toBe(0)
    const { rows } = await watchdesk.database.pool.query(
      `select entity, entity_id, changes from audit_events where action = 'cancel' order by id desc limit 1`,
    )
    const changes = { file: { before: null, after: 'file.csv' } }
    expect(rows).toEqual([{ entity: 'sources', entity_id: (await importOf(id)).id, changes }])
  })

  test('stops a running job, and nothing is saved', async () => {
    const id = await post(sourceCsv(2000, name))
    const release = await hold()
    await start()
    await waitForLocks(watchdesk.database.pool)
    const { body } = await watchdesk.admin('POST', `/api/v1/jobs/${id}/cancel`)
    expect(body).toMatchObject({ is_cancelled: true })
    // It ends although its statement could not go on.
    expect(await untilJob(watchdesk, id)).toMatchObject({ state: 'cancelled', error: body.error })
    await release()
    expect(await importOf(id)).toMatchObject({ state: 'cancelled' })
    expect(await saved()).toEqual({ sources: 0, events: 0 })
  })

  test('is possible for another super admin, who is named', async () => {
    const id = await post(sourceCsv(2, name))
    const other = await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })
    const call = await openSession(watchdesk, other.id)
    expect((await call<{ jobs: unknown[] }>('GET', '/api/v1/jobs/')).body.jobs).toEqual([])
    expect((await call('GET', `/api/v1/jobs/${id}`)).body).toMatchObject({ created_by: { id: 1 } })
    const { body } = await call('POST', `/api/v1/jobs/${id}/cancel`)
    expect(body).toMatchObject({ state: 'cancelled', error: 'Cancelled by Kim Quick.' })
  })

  test('a job that has ended is refused; a second time it changes nothing', async () => {
    const cancelled = await post(sourceCsv(2, name))
    for (let time = 0; time < 2; time += 1) {
      expect((await watchdesk.admin('POST', `/api/v1/jobs/${cancelled}/cancel`)).status).toBe(200)
    }
    const id = await post(sourceCsv(2, name))
    await start()
    await untilJob(watchdesk, id)
    expect((await watchdesk.admin('POST', `/api/v1/jobs/${id}/cancel`)).status).toBe(409)
    const { rows } = await watchdesk.database.pool.query(`select count(*)::int as count from audit_events
      where action = 'cancel' and entity_id = (select id from operations where job_id = ${cancelled})`)
    expect(rows).toEqual([{ count: 1 }])
  })
})

describe('the server that had a job', () => {
  const leave = (id: number, attempts: number) =>
    watchdesk.database.pool.query(
      `update jobs set state = 'running', attempts = $1, leased_by = $2, leased_until = now() - interval '1 second' where id = $3`,
      [attempts, randomUUID(), id],
    )

  test('died: another one starts it again', async () => {
    const id = await post(sourceCsv(30, name), { filename: `${name}.csv` })
    await leave(id, 2)
    await start()
    expect(await untilJob(watchdesk, id)).toMatchObject({ state: 'done' })
    expect(await saved()).toEqual({ sources: 30, events: 1 })
  })

  test('died three times: it fails with the reason', async () => {
    const id = await post(sourceCsv(30, name))
    await leave(id, 3)
    await start()
    const { state, error } = await untilJob(watchdesk, id)
    expect([state, error]).toEqual([
      'failed',
      expect.stringMatching(/^The server stopped during this job. It was started 3 times/),
    ])
    expect(await importOf(id)).toMatchObject({ state: 'failed', error })
    expect(await filesLeft(id)).toBe(0)
  })

  test('died after it was cancelled: it is not started again', async () => {
    const id = await post(sourceCsv(30, name))
    await leave(id, 1)
    await watchdesk.admin('POST', `/api/v1/jobs/${id}/cancel`)
    await start()
    expect(await untilJob(watchdesk, id)).toMatchObject({ state: 'cancelled' })
    expect(await saved()).toEqual({ sources: 0, events: 0 })
  })

  test('lost its lease in the meantime: it saves nothing', async () => {
    const id = await post(sourceCsv(30, name), { filename: `${name}.csv` })
    const release = await hold()
    await start()
    await waitForLocks(watchdesk.database.pool)
    await watchdesk.database.pool.query(
      `update jobs set leased_by = $1, leased_until = now() + interval '1 hour' where id = $2`,
      [randomUUID(), id],
    )
    await release()
    await servers[0]?.stop()
    expect(await saved()).toEqual({ sources: 0, events: 0 })
    expect(await getJob(watchdesk, id)).toMatchObject({ state: 'running' })
    await watchdesk.admin('POST', `/api/v1/jobs/${id}/cancel`)
    await watchdesk.database.pool.query('update jobs set leased_until = now() where id = $1', [id])
  })

  test('stops: it releases the job, and another one carries it out', async () => {
    const id = await post(sourceCsv(30, name), { filename: `${name}.csv` })
    const release = await hold()
    const first = await start()
    await waitForLocks(watchdesk.database.pool)
    await first.stop()
    const { rows } = await watchdesk.database.pool.query('select state, leased_by, attempts from jobs where id = $1', [
      id,
    ])
    expect(rows).toEqual([{ state: 'queued', leased_by: null, attempts: 0 }])
    expect(await importOf(id)).toMatchObject({ state: 'queued', started_at: expect.any(Date) })
    await release()
    await start()
    expect(await untilJob(watchdesk, id)).toMatchObject({ state: 'done' })
    expect(await saved()).toEqual({ sources: 30, events: 1 })
  })
})

const LOSSES: Record<string, (id: number, workspace_id: number) => string> = {
  'was demoted': (id) => `update users set is_super_admin = false where id = ${id}`,
  'was deleted': (id) => `update users set deleted_at = now() where id = ${id}`,
  'is in a deactivated workspace': (_, id) => `update workspaces set status = 'DEACTIVATED' where id = ${id}`,
  'is in a deleted workspace': (_, id) => `update workspaces set deleted_at = now() where id = ${id}`,
}

describe.each(Object.entries(LOSSES))('if the owner of a job %s', (_, lose) => {
  async function makeOwner() {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const { id } = await insertUser(watchdesk, { workspace_id, is_super_admin: true })
    return { loss: lose(id, workspace_id), call: await openSession(watchdesk, id) }
  }
  const refused = { state: 'failed', error: expect.stringContaining('is no longer a super admin') }

  test('before it starts, nothing is saved', async () => {
    const { loss, call } = await makeOwner()
    const id = await post(sourceCsv(30, name), {}, call)
    await watchdesk.database.pool.query(loss)
    await start()
    expect(await untilJob(watchdesk, id)).toMatchObject(refused)
    expect(await saved()).toEqual({ sources: 0, events: 0 })
  })

  test('while it runs, nothing is saved', async () => {
    const { loss, call } = await makeOwner()
    const id = await post(sourceCsv(30, name), {}, call)
    const release = await hold()
    await start()
    await waitForLocks(watchdesk.database.pool)
    await watchdesk.database.pool.query(loss)
    await release()
    expect(await untilJob(watchdesk, id)).toMatchObject(refused)
    expect(await saved()).toEqual({ sources: 0, events: 0 })
    expect(await importOf(id)).toMatchObject({ state: 'failed', counts: {} })
  })
})

test('nobody can have more than a few unfinished jobs', async () => {
  const { id } = await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })
  const call = await openSession(watchdesk, id)
  const ids: number[] = []
  for (let index = 0; index < JOBS_PER_PERSON; index += 1) ids.push(await post(sourceCsv(1, name), {}, call))
  const { status, body } = await postJob(call, SOURCE_JOBS, sourceCsv(1, name))
  expect([status, body]).toEqual([429, { detail: expect.stringContaining('You already have 20 imports') }])
  for (const each of ids) await call('POST', `/api/v1/jobs/${each}/cancel`)
  const { jobs } = (await call<{ jobs: { id: number }[] }>('GET', '/api/v1/jobs/')).body
  expect(jobs.map((job) => job.id)).toEqual(ids.reverse())
})
