import type { AuditPage } from '@watchdesk/contract/activity'
import type { MonitoredSource, SourceDetails } from '@watchdesk/contract/sources'
import { expect, test } from 'vitest'
import { insertSource } from '../../../test/helpers/sources.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const URL = '/api/v1/sources'

const get = (id: number) => watchdesk.admin<SourceDetails>('GET', `${URL}/${id}`)
const edit = (id: number, country: string | null, headers: Record<string, string> = {}) =>
  watchdesk.admin<MonitoredSource>('PATCH', `${URL}/${id}`, { country }, headers)

async function eventsOf(id: number) {
  const { body } = await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?entity=source&entity_id=${id}`)
  return body.objects.map(({ action, record, version, changes }) => ({ action, record, version, changes }))
}

test('a source that was imported shows who added it and by which import', async () => {
  const records = [{ source_url: 'https://www.t.me/imported/', source_country: 'Ukraine' }]
  await watchdesk.admin('POST', '/api/v1/source_import/sources', {
    email: 'admin@watchdesk.local',
    sheet_url: null,
    sheet_records: records,
  })
  const { body: page } = await watchdesk.admin<{ objects: MonitoredSource[] }>('GET', `${URL}/?search=t.me/imported`)
  const [source] = page.objects
  expect(source).toMatchObject({
    platform: 'TELEGRAM',
    url: 'https://t.me/imported',
    country: 'UA',
    created_by: { name: expect.any(String) },
    import: { kind: 'source_import', id: expect.any(Number) },
    version: 1,
  })
  expect((await get(source?.id ?? 0)).body).toEqual({ ...source, deleted_at: null })
  const { body } = await watchdesk.admin('GET', `${URL}/${source?.id}/imports`)
  expect(body.objects).toEqual([
    {
      import: source?.import,
      at: expect.any(String),
      by: source?.created_by,
      effect: 'added',
      before: null,
    },
  ])
})

test('the country is edited, with a version and an event', async () => {
  const { id, url } = await insertSource(watchdesk, { country: 'UA' })
  const edited = await edit(id, 'PL', { 'if-match': '"1"' })
  expect(edited).toMatchObject({ status: 200, body: { country: 'PL', version: 2 }, headers: { etag: '"2"' } })
  expect(edited.body.updated_by).not.toBeNull()
  expect((await edit(id, null)).body).toMatchObject({ country: null, version: 3 })
  expect((await edit(id, null)).body).toMatchObject({ country: null, version: 3 })
  const record = { name: url, detail: null, state: 'live', current_name: url }
  expect(await eventsOf(id)).toEqual([
    { action: 'update', record, version: 3, changes: { country: { before: 'PL', after: null } } },
    { action: 'update', record, version: 2, changes: { country: { before: 'UA', after: 'PL' } } },
  ])
})

test('an edit of an outdated version is refused', async () => {
  const { id } = await insertSource(watchdesk)
  await edit(id, 'PL')
  const refused = await edit(id, 'UA', { 'if-match': '"1"' })
  expect(refused.status).toBe(412)
  expect(refused.body).toMatchObject({ detail: expect.stringMatching(/^This source was changed by .+ at /) })
  expect((await watchdesk.admin('DELETE', `${URL}/${id}`, undefined, { 'if-match': '"1"' })).status).toBe(412)
  expect((await get(id)).body).toMatchObject({ country: 'PL', version: 2 })
})

test.each(['XX', 'ZZ', 'ua', 'UKR', ''])('%j is not a country', async (country) => {
  const { id } = await insertSource(watchdesk)
  expect(await edit(id, country)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'country'] }] } })
})

test('a removed source can only be read until it is restored', async () => {
  const { id, url } = await insertSource(watchdesk, { country: 'UA' })
  const { deleted_at, ...before } = (await get(id)).body
  expect(deleted_at).toBe(null)
  expect((await watchdesk.admin('DELETE', `${URL}/${id}`)).status).toBe(204)
  const removed = { ...before, updated_at: expect.any(String), updated_by: { id: 1 }, version: 2 }
  expect((await get(id)).body).toMatchObject({ ...removed, deleted_at: expect.stringMatching(/^2.*Z$/) })
  expect((await watchdesk.admin('GET', `${URL}/${id}/imports`)).status).toBe(200)
  expect((await watchdesk.admin('DELETE', `${URL}/${id}`)).status).toBe(404)
  expect((await edit(id, 'PL')).status).toBe(404)
  const restored = await watchdesk.admin<MonitoredSource>('POST', `${URL}/${id}/restore`)
  expect(restored).toMatchObject({
    status: 200,
    body: { ...before, updated_at: expect.any(String), updated_by: { id: 1 }, version: 3 },
  })
  expect(await watchdesk.admin('POST', `${URL}/${id}/restore`)).toMatchObject({
    status: 404,
    body: { detail: 'Deleted source not found.' },
  })
  const record = { name: url, detail: null, state: 'live', current_name: url }
  expect(await eventsOf(id)).toEqual([
    { action: 'restore', record, version: 3, changes: {} },
    { action: 'delete', record, version: 2, changes: {} },
  ])
})
