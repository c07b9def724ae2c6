import type { AuditPage, EarlierRecord } from '@watchdesk/contract/activity'
import { expect, test } from 'vitest'
import { insertSource } from '../../../test/helpers/sources.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

/** A source whose country was edited twice, with the ids of both events, and then changed with others. */
async function changed() {
  const { id, url } = await insertSource(watchdesk, { country: 'UA' })
  await watchdesk.admin('PATCH', `/api/v1/sources/${id}`, { country: 'PL' })
  await watchdesk.admin('PATCH', `/api/v1/sources/${id}`, { country: null })
  const body = { action: 'set_country', country: 'DE', ids: [id], expected_count: 1 }
  expect((await watchdesk.admin('POST', '/api/v1/sources/change', body)).status).toBe(200)
  const { body: page } = await watchdesk.admin<AuditPage>(
    'GET',
    `/api/v1/audit/?entity=source&entity_id=${id}&changes_only=true`,
  )
  const [second, first] = page.objects.map((event) => event.id)
  return { id, url, first, second }
}

const preview = (event: number | undefined, side: string) =>
  watchdesk.admin<EarlierRecord>('GET', `/api/v1/audit/${event}/record?side=${side}`)

test('the country is put back to what it was at an event, also before a change of many', async () => {
  const { id, first, second } = await changed()
  const countries = []
  for (const [event, side] of [
    [first, 'before'],
    [first, 'after'],
    [second, 'before'],
    [second, 'after'],
  ] as const) {
    const { body } = await preview(event, side)
    countries.push(body.fields.map(({ field, current, earlier }) => [field, current, earlier]))
  }
  expect(countries).toEqual([
    [['country', 'DE', 'UA']],
    [['country', 'DE', 'PL']],
    [['country', 'DE', 'PL']],
    [['country', 'DE', null]],
  ])
  const put = await watchdesk.admin('POST', `/api/v1/audit/${first}/put_back`, { side: 'before', fields: ['country'] })
  expect(put).toMatchObject({ status: 200, body: { version: 5 } })
  expect((await watchdesk.admin('GET', `/api/v1/sources/${id}`)).body).toMatchObject({ country: 'UA', version: 5 })
  const { body } = await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?entity=source&entity_id=${id}`)
  expect(body.objects[0]).toMatchObject({
    action: 'put_back',
    version: 5,
    changes: { country: { before: 'DE', after: 'UA' } },
  })
})

test('nothing is put back on a removed source', async () => {
  const { id, first } = await changed()
  await watchdesk.admin('DELETE', `/api/v1/sources/${id}`)
  expect(await preview(first, 'before')).toMatchObject({
    status: 409,
    body: { detail: 'This source is deleted. Restore it first.' },
  })
})
