import type { AuditPage } from '@watchdesk/contract/activity'
import type { BinOutcome, BinRecord } from '@watchdesk/contract/bin'
import type { Page } from '@watchdesk/contract/page'
import { expect, test } from 'vitest'
import { insertSource } from '../../../test/helpers/sources.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { purgeSources } from './purge.ts'

const watchdesk = useWatchdesk()
const URL = '/api/v1/bin'

const bin = async (query = '') => (await watchdesk.admin<Page<BinRecord>>('GET', `${URL}/?${query}`)).body

test('a removed source is in the bin, whoever removed it and however many with it', async () => {
  const one = await insertSource(watchdesk, { url: 'https://t.me/bin_one', country: 'UA' })
  const two = await insertSource(watchdesk, { url: 'https://t.me/bin_two' })
  await watchdesk.admin('DELETE', `/api/v1/sources/${one.id}`)
  await watchdesk.admin('POST', '/api/v1/sources/change', { action: 'remove', ids: [two.id], expected_count: 1 })
  const { objects, total } = await bin('search=bin_')
  expect(total).toBe(2)
  expect(objects).toMatchObject(
    [two, one].map(({ id, url }) => ({
      kind: 'source',
      id,
      name: url,
      detail: 'TELEGRAM',
      workspace: null,
      deleted_by: { id: 1, name: 'Super Admin' },
      days_left: 30,
      problem: null,
    })),
  )
  expect((await bin('search=bin_&kind=user')).total).toBe(0)
  expect((await bin('search=bin_&kind=source&page_size=1&page=2')).objects).toMatchObject([{ id: one.id }])
})

test('sources are restored together, and removed for good by their address', async () => {
  const [one, two] = [await insertSource(watchdesk), await insertSource(watchdesk)]
  await watchdesk.admin('POST', '/api/v1/sources/change', {
    action: 'remove',
    ids: [one.id, two.id],
    expected_count: 2,
  })
  const records = [
    { kind: 'source', id: one.id },
    { kind: 'source', id: 2_000_000_000 },
  ]
  const { body } = await watchdesk.admin<{ outcomes: BinOutcome[] }>('POST', `${URL}/restore`, { records })
  expect(body.outcomes.map(({ problem }) => problem)).toEqual([null, 'Deleted source not found.'])
  expect((await watchdesk.admin('GET', `/api/v1/sources/${one.id}`)).body).toMatchObject({ version: 3 })

  const remove = (name: string) => watchdesk.admin('POST', `${URL}/remove`, { kind: 'source', id: two.id, name })
  expect((await remove('https://t.me/another')).status).toBe(422)
  expect((await remove(two.url)).status).toBe(204)
  expect((await remove(two.url)).status).toBe(404)
  const { body: events } = await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?entity=source&entity_id=${two.id}`)
  expect(events.objects).toMatchObject([{ action: 'remove', record: { name: two.url, state: 'gone' } }])
})

test('workspace admins see no sources in the bin', async () => {
  await insertSource(watchdesk, { deleted_at: new Date().toISOString() })
  const { call } = await watchdesk.createPerson()
  expect((await call<Page<BinRecord>>('GET', `${URL}/`)).body.objects.filter(({ kind }) => kind === 'source')).toEqual(
    [],
  )
})

test('after thirty days sources are removed in parts, each with one event that counts them', async () => {
  const { pool } = watchdesk.database
  await pool.query(`insert into sources (platform, url, deleted_at)
    select 'TELEGRAM', 'https://t.me/expired' || n, now() - interval '31 days' from generate_series(1, 25) n`)
  const kept = await insertSource(watchdesk, { deleted_at: new Date(Date.now() - 29 * 86_400_000).toISOString() })
  expect(await purgeSources(watchdesk.database.db, 60_000, 10)).toBe(25)
  expect((await bin('search=t.me/expired')).total).toBe(0)
  expect((await bin(`search=${kept.url}`)).total).toBe(1)
  const { body } = await watchdesk.admin<AuditPage>('GET', '/api/v1/audit/?entity=bin&action=purge')
  expect(body.objects.map(({ changes, actor, parts }) => [changes.sources?.before, actor?.name, parts])).toEqual([
    [5, 'Watchdesk', 0],
    [10, 'Watchdesk', 0],
    [10, 'Watchdesk', 0],
  ])
})
