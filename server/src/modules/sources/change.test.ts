import type { AuditPage } from '@watchdesk/contract/activity'
import { errorText } from '@watchdesk/contract/errors'
import type { Operation, OperationRows } from '@watchdesk/contract/operations/operations'
import type { Page } from '@watchdesk/contract/page'
import type { MonitoredSource, SourceImportEntry, SourcesChanged } from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { afterWaiting, during, waitForLocks } from '../../../test/helpers/locks.ts'
import { insertSource } from '../../../test/helpers/sources.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const URL = '/api/v1/sources'

const change = (body: object, headers?: Record<string, string>, call = watchdesk.admin) =>
  call<SourcesChanged>('POST', `${URL}/change`, body, headers)
const get = async (id: number) => (await watchdesk.admin<MonitoredSource>('GET', `${URL}/${id}`)).body

/** Sources that no other test uses. */
async function some(name: string, countries: (string | null)[]) {
  const made = []
  for (const [n, country] of countries.entries())
    made.push(await insertSource(watchdesk, { url: `https://t.me/${name}_${n}`, country }))
  return { ids: made.map(({ id }) => id), filter: { search: `${name}_` } }
}

async function changesOf(import_id: number | null) {
  const { db } = watchdesk.database
  const { rows } = await sql<{ source_id: number; before: Record<string, unknown>; content_version: number }>`
    select record_id as source_id, before, (after ->> 'content_version')::int as content_version
    from operation_changes where operation_id = ${import_id} order by record_id`.execute(db)
  return rows
}

const holding = (id: number | undefined) => `select from sources where id = ${id} for update`
const editing = (id: number | undefined) =>
  `update sources set country = 'FR', version = 2, content_version = 2 where id = ${id}`

test('the country of all sources that match a filter is set', async () => {
  const { ids, filter } = await some('set', ['UA', null, 'PL'])
  const before = await Promise.all(ids.map(get))
  const { status, body } = await change({ action: 'set_country', country: 'PL', filter, expected_count: 3 })
  expect({ status, body }).toEqual({
    status: 200,
    body: { changed_count: 2, import_id: expect.any(Number), job_id: null },
  })
  const after = await Promise.all(ids.map(get))
  expect(after.map(({ country, version }) => [country, version])).toEqual([
    ['PL', 2],
    ['PL', 2],
    ['PL', 1],
  ])
  expect(await changesOf(body.import_id)).toEqual(
    [0, 1].map((n) => ({
      source_id: ids[n],
      before: expect.objectContaining({
        country: before[n]?.country,
        deleted_at: null,
        import_id: null,
        created_by: null,
        content_version: 1,
      }),
      content_version: 2,
    })),
  )
  const made = await watchdesk.database.db
    .selectFrom('operations')
    .selectAll()
    .where('id', '=', body.import_id)
    .executeTakeFirstOrThrow()
  expect(made).toMatchObject({
    kind: 'sources_change',
    state: 'done',
    counts: { changed: 2 },
    details: { action: 'set_country', country: 'PL', filter },
    created_by: 1,
    created_by_name: 'Super Admin',
    started_at: expect.any(Date),
    finished_at: expect.any(Date),
  })
  const events = await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?entity=sources&entity_id=${body.import_id}`)
  expect(events.body.objects).toMatchObject([
    {
      action: 'update',
      changes: { changed_count: { before: null, after: 2 }, country: { before: null, after: 'PL' } },
    },
  ])
  const { body: touched } = await watchdesk.admin<{ objects: SourceImportEntry[] }>('GET', `${URL}/${ids[0]}/imports`)
  expect(touched.objects).toMatchObject([{ import: { id: body.import_id }, effect: 'country', before: 'UA' }])
})

test('the rows of the import are the changed sources, before and after', async () => {
  const { filter } = await some('rows', ['UA', null, 'PL', 'DE'])
  const { body } = await change({ action: 'set_country', country: 'PL', filter, expected_count: 4 })
  const url = `/api/v1/imports/${body.import_id}`
  const { body: made } = await watchdesk.admin<Operation>('GET', url)
  expect(made).toMatchObject({ rows_count: 3, summary: 'Set the country of 3 sources to Poland' })
  const { body: rows } = await watchdesk.admin<OperationRows>('GET', `${url}/rows?offset=1`)
  expect(rows).toEqual({
    header: ['source_url', 'before', 'after'],
    rows: [
      { number: 2, cells: ['https://t.me/rows_1', 'no country', 'Poland'] },
      { number: 3, cells: ['https://t.me/rows_3', 'Germany', 'Poland'] },
    ],
    total: 3,
  })
})

test('there is no file of its rows, and the answer says why', async () => {
  const { ids } = await some('fileless', ['UA'])
  const { body } = await change({ action: 'set_country', country: 'PL', ids, expected_count: 1 })
  const file = await watchdesk.admin('GET', `/api/v1/imports/${body.import_id}/file?format=csv`)
  expect([file.status, errorText(file.body)]).toEqual([
    404,
    'A bulk change of sources has no file, because it read no rows. Its page lists what it changed.',
  ])
})

test('imports that were undone are found by that', async () => {
  const { ids } = await some('undone', ['UA'])
  const { body } = await change({ action: 'set_country', country: 'PL', ids, expected_count: 1 })
  const found = async (state: string) => {
    const page = await watchdesk.admin<Page<Operation>>('GET', `/api/v1/imports/?state=${state}`)
    return page.body.objects.some(({ id }) => id === body.import_id)
  }
  expect([await found('done'), await found('undone')]).toEqual([true, false])
  expect((await watchdesk.admin('POST', `/api/v1/imports/${body.import_id}/undo`, { changed: 'leave' })).status).toBe(
    200,
  )
  expect([await found('done'), await found('undone')]).toEqual([false, true])
})

test('chosen sources are removed, and are in the bin', async () => {
  const { ids } = await some('remove', ['UA', null, 'PL'])
  const [kept, ...removed] = ids
  const { body } = await change({ action: 'remove', ids: [...removed, ...removed], expected_count: 2 })
  expect(body.changed_count).toBe(2)
  const { body: found } = await watchdesk.admin('GET', `${URL}/?search=remove_`)
  expect(found).toMatchObject({ total: 1, objects: [{ id: kept }] })
  const restored = await watchdesk.admin('POST', `${URL}/${removed[0]}/restore`)
  expect(restored.body).toMatchObject({ country: null, version: 3 })
  const { body: touched } = await watchdesk.admin<{ objects: SourceImportEntry[] }>(
    'GET',
    `${URL}/${removed[0]}/imports`,
  )
  expect(touched.objects).toMatchObject([{ effect: 'removed' }])
})

test('nothing changes if another number of sources matches now', async () => {
  const { ids, filter } = await some('count', ['UA', null])
  const refused = await change({ action: 'remove', filter, expected_count: 3 })
  expect(refused).toMatchObject({
    status: 409,
    body: { detail: '2 sources match now instead of 3. Check the list and try again.' },
  })
  await change({ action: 'remove', ids: [ids[0]], expected_count: 1 })
  expect(await change({ action: 'remove', filter, expected_count: 2 })).toMatchObject({
    status: 409,
    body: { detail: '1 source matches now instead of 2. Check the list and try again.' },
  })
  expect((await get(ids[1] ?? 0)).version).toBe(1)
})

test('a change of nothing leaves no trace', async () => {
  const { filter } = await some('same', ['UA', 'UA'])
  const count = async () =>
    (
      await watchdesk.database.pool.query(
        'select (select count(*) from operations) + (select count(*) from audit_events) as n',
      )
    ).rows[0].n
  const before = await count()
  const { body } = await change({ action: 'set_country', country: 'UA', filter, expected_count: 2 })
  expect(body).toEqual({ changed_count: 0, import_id: null, job_id: null })
  expect(await count()).toBe(before)
})

test.each([
  [{ action: 'remove', expected_count: 0 }],
  [{ action: 'remove', ids: [1], filter: {}, expected_count: 0 }],
  [{ action: 'remove', ids: [], expected_count: 0 }],
  [{ action: 'remove', country: 'UA', ids: [1], expected_count: 0 }],
  [{ action: 'set_country', ids: [1], expected_count: 0 }],
  [{ action: 'set_country', country: 'XX', ids: [1], expected_count: 0 }],
  [{ action: 'remove', filter: { page: 1 }, expected_count: 0 }],
  [{ action: 'remove', filter: {} }],
])('%j is refused', async (body) => {
  expect((await change(body)).status).toBe(422)
})

test('a repeated call with the same key changes nothing more', async () => {
  const { ids, filter } = await some('once', ['UA', null])
  const headers = { 'idempotency-key': 'change-0001' }
  const body = { action: 'set_country', country: 'DE', filter, expected_count: 2 }
  const first = await change(body, headers)
  expect((await change(body, headers)).body).toEqual(first.body)
  expect((await get(ids[0] ?? 0)).version).toBe(2)
  expect((await change({ ...body, country: 'PL' }, headers)).status).toBe(422)
})

test('of two changes at once, the second one sees what the first one left', async () => {
  const { ids, filter } = await some('race', ['UA', null, 'PL'])
  const answers = await during(watchdesk.database.pool, holding(ids[1]), async () => {
    const changes = [
      change({ action: 'remove', filter, expected_count: 3 }),
      change({ action: 'set_country', country: 'DE', filter, expected_count: 3 }),
    ]
    await waitForLocks(watchdesk.database.pool, 2)
    return [...changes, change({ action: 'remove', filter: { ...filter, country: 'PL' }, expected_count: 1 })]
  })
  const done = answers.map(({ status }) => status)
  const rows = await watchdesk.database.db
    .selectFrom('sources')
    .select(['country', 'version', 'deleted_at', 'content_version'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  // Any order is fine, but each change is whole, or refused because another number matches.
  const kept = await sql<{
    version: number
  }>`select 1 + (select count(*) from operation_changes where record_id = id) as version
    from unnest(${ids}::bigint[]) as id`.execute(watchdesk.database.db)
  expect(rows.map(({ version }) => version)).toEqual(kept.rows.map(({ version }) => version))
  for (const { version, content_version } of rows) expect(content_version).toBe(version)
  for (const status of done) expect([200, 409]).toContain(status)
  expect(done).toContain(200)
})

test('an edit waits for a change of many, and is not lost', async () => {
  const { ids, filter } = await some('edit', ['UA', null])
  const [changed, edited] = await afterWaiting(
    watchdesk.database.pool,
    editing(ids[1]),
    () => change({ action: 'set_country', country: 'DE', filter, expected_count: 2 }),
    () => watchdesk.admin('PATCH', `${URL}/${ids[0]}`, { country: 'PL' }, { 'if-match': '"1"' }),
  )
  expect([changed?.body.changed_count, edited?.status]).toEqual([2, 412])
  expect(await changesOf(changed?.body.import_id ?? null)).toMatchObject([
    { source_id: ids[0], before: { country: 'UA' }, content_version: 2 },
    { source_id: ids[1], before: { country: 'FR' }, content_version: 3 },
  ])
})

test('what no longer matches after the wait is not changed', async () => {
  const { ids, filter } = await some('moved', ['UA', 'UA'])
  const [changed] = await afterWaiting(watchdesk.database.pool, editing(ids[1]), () =>
    change({ action: 'remove', filter: { ...filter, country: 'UA' }, expected_count: 2 }),
  )
  expect(changed).toMatchObject({ status: 409, body: { detail: expect.stringContaining('1 source matches') } })
  expect((await get(ids[0] ?? 0)).version).toBe(1)
})

test('a person who is demoted meanwhile changes nothing', async () => {
  const { ids, filter } = await some('revoked', ['UA', null])
  const { id, call } = await watchdesk.createPerson({ is_super_admin: true, is_admin: true })
  const [changed] = await during(watchdesk.database.pool, holding(ids[1]), async () => {
    const changing = change({ action: 'remove', filter, expected_count: 2 }, {}, call)
    await waitForLocks(watchdesk.database.pool)
    expect((await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { is_super_admin: false })).status).toBe(200)
    return [changing]
  })
  expect(changed.status).toBeGreaterThanOrEqual(401)
  expect(await Promise.all(ids.map(async (id) => (await get(id)).version))).toEqual([1, 1])
})
