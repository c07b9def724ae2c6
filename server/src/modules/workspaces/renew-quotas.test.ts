import type { Workspace } from '@watchdesk/contract/workspaces'
import { beforeEach, expect, test } from 'vitest'
import { during } from '../../../test/helpers/locks.ts'
import { QUOTAS, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { readToday } from '../../db/days.ts'
import { nextRenewal, renewalDay, renewQuotas } from './renew-quotas.ts'
import { createTrialsAndQuotasTask } from './trials-and-quotas.ts'

const watchdesk = useWatchdesk()

const FAR = '2099-01-01T00:00:00'
const quota = (date: string, limit = 500, balance = 20) => ({ limit, balance, renewal_date: `${date}T00:00:00` })

beforeEach(async () => {
  // Only the workspaces of the test are due.
  await watchdesk.database.pool.query(
    `update workspaces set
    ai_quota = jsonb_set(ai_quota, '{renewal_date}', $1), analytical_quota = jsonb_set(analytical_quota, '{renewal_date}', $1)`,
    [JSON.stringify(FAR)],
  )
})

function create(body: Partial<typeof QUOTAS>) {
  return watchdesk.createWorkspace({ analytical_quota: { ...QUOTAS.ai_quota, renewal_date: FAR }, ...body })
}

async function read(id: number) {
  return (await watchdesk.admin<Workspace>('GET', `/api/v1/workspaces/${id}`)).body
}

async function save(id: number, changes: object) {
  const { id: _, version: __, config, ...fields } = await read(id)
  const { tags: ___, ...settings } = config
  const body = { ...fields, ...settings, ...changes }
  const { status } = await watchdesk.admin('PUT', `/api/v1/workspaces/${id}`, body)
  expect(status).toBe(200)
}

const history = (id: number) => watchdesk.eventsOf(`entity=workspace&entity_id=${id}&changes_only=true`)
const renew = (today: string) => renewQuotas(watchdesk.database.db, today)

test('on its date, the balance becomes the limit and the date moves on by a month, as an event of Watchdesk', async () => {
  const { id } = await create({ ai_quota: quota('2027-01-05') })
  expect(await renew('2027-01-04')).toBe(0)
  expect(await renew('2027-01-05')).toBe(1)
  expect(await renew('2027-01-05')).toBe(0)
  const { ai_quota, analytical_quota, version } = await read(id)
  expect([ai_quota, analytical_quota.renewal_date, version]).toEqual([quota('2027-02-05', 500, 500), FAR, 2])
  const [event] = await history(id)
  expect(event).toMatchObject({
    action: 'renew',
    actor: { id: null, name: 'Watchdesk' },
    version: 2,
    workspace: { id },
    changes: { ai_quota: { before: quota('2027-01-05'), after: quota('2027-02-05', 500, 500) } },
  })
  expect(Object.keys(event?.changes ?? {})).toEqual(['ai_quota'])
})

test('both quotas of a workspace are renewed in one event', async () => {
  const { id } = await create({ ai_quota: quota('2027-03-01'), analytical_quota: quota('2027-03-01', 9, 9) })
  await renew('2027-03-01')
  const [event, ...others] = await history(id)
  expect(Object.keys(event?.changes ?? {}).sort()).toEqual(['ai_quota', 'analytical_quota'])
  expect(others.map(({ action }) => action)).toEqual(['create'])
})

test('the 31st is the last day of shorter months, and comes back in longer ones, also if somebody saves meanwhile', async () => {
  const { id } = await create({ ai_quota: quota('2027-01-31') })
  const dates = []
  for (const today of ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']) {
    await renew(today)
    await save(id, { description: `Seen on ${today}` })
    dates.push((await read(id)).ai_quota.renewal_date.slice(0, 10))
  }
  expect(dates).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'])
})

test('the 31st is also remembered after a renewal was put back', async () => {
  const { id } = await create({ ai_quota: quota('2027-01-31') })
  await renew('2027-01-31')
  await renew('2027-02-28')
  const [event] = await history(id)
  const body = { side: 'before', fields: ['ai_quota'] }
  const put = await watchdesk.admin('POST', `/api/v1/audit/${event?.id}/put_back`, body, { 'if-match': '*' })
  expect(put.status).toBe(200)
  expect((await read(id)).ai_quota.renewal_date).toBe('2027-02-28T00:00:00')
  await renew('2027-02-28')
  expect((await read(id)).ai_quota.renewal_date).toBe('2027-03-31T00:00:00')
})

test('a date that somebody sets counts from then on', async () => {
  const { id } = await create({ ai_quota: quota('2027-01-31') })
  await renew('2027-01-31')
  await save(id, { ai_quota: quota('2027-02-27') })
  await renew('2027-02-27')
  expect((await read(id)).ai_quota.renewal_date).toBe('2027-03-27T00:00:00')
  await save(id, { ai_quota: quota('2027-04-30') })
  await renew('2027-04-30')
  expect((await read(id)).ai_quota.renewal_date).toBe('2027-05-30T00:00:00')
})

test('months that were missed are caught up once', async () => {
  const { id } = await create({ ai_quota: quota('2026-01-31') })
  expect(await renew('2027-06-29')).toBe(1)
  expect((await read(id)).ai_quota).toEqual(quota('2027-06-30', 500, 500))
  expect((await history(id)).filter(({ action }) => action === 'renew')).toHaveLength(1)
})

test('a deleted workspace is not renewed, and is caught up once after it is restored', async () => {
  const { id } = await create({ ai_quota: quota('2027-07-10') })
  await watchdesk.admin('DELETE', `/api/v1/workspaces/${id}`)
  expect(await renew('2027-09-20')).toBe(0)
  await watchdesk.admin('POST', `/api/v1/workspaces/${id}/restore`)
  expect(await renew('2027-09-20')).toBe(1)
  expect((await read(id)).ai_quota).toEqual(quota('2027-10-10', 500, 500))
})

test('a save with the version from before a renewal is refused, like after the edit of a person', async () => {
  const { id, version } = await create({ ai_quota: quota('2027-11-01') })
  await renew('2027-11-01')
  const body = { name: 'Renamed', ...QUOTAS }
  const { status, body: problem } = await watchdesk.admin('PUT', `/api/v1/workspaces/${id}`, body, {
    'if-match': `"${version}"`,
  })
  expect([status, problem.detail]).toEqual([
    412,
    expect.stringContaining('This workspace was changed by the system at'),
  ])
})

test('a workspace that somebody is saving is renewed the next time, and nobody waits for the others', async () => {
  const [held, free] = [
    await create({ ai_quota: quota('2028-01-01') }),
    await create({ ai_quota: quota('2028-01-01') }),
  ]
  await during(watchdesk.database.pool, `select from workspaces where id = ${held.id} for update`, async () => {
    expect(await renew('2028-01-01')).toBe(1)
    expect((await read(free.id)).ai_quota.balance).toBe(500)
    return []
  })
  expect(await renew('2028-01-01')).toBe(1)
  expect((await read(held.id)).ai_quota.balance).toBe(500)
})

test('the server renews by the clock of the database, unless QUOTA_RENEWAL is off', async () => {
  const { db } = watchdesk.database
  const today = await readToday(db)
  expect(today).toBe(new Date().toISOString().slice(0, 10))
  const { id } = await create({ ai_quota: quota(today) })
  const lines: string[] = []
  const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) }
  await createTrialsAndQuotasTask(db, { QUOTA_RENEWAL: 'off', TRIAL_END: 'show' }, log)()
  expect((await read(id)).ai_quota).toEqual(quota(today))
  await createTrialsAndQuotasTask(db, { QUOTA_RENEWAL: 'monthly', TRIAL_END: 'show' }, log)()
  expect((await read(id)).ai_quota.balance).toBe(500)
  expect(lines).toEqual(['Renewed quotas of 1 workspaces'])
})

test.each([
  ['2026-12-01', 1, '2026-12-01', '2027-01-01'],
  ['2027-01-31', 31, '2027-01-31', '2027-02-28'],
  ['2027-02-28', 31, '2027-02-28', '2027-03-31'],
  ['2028-01-30', 30, '2028-01-31', '2028-02-29'],
  ['2026-12-15', 15, '2026-12-20', '2027-01-15'],
  // Missed months are skipped.
  ['2026-01-31', 31, '2026-11-17', '2026-11-30'],
  ['2026-01-31', 31, '2026-11-30', '2026-12-31'],
  ['2020-02-29', 29, '2023-02-28', '2023-03-29'],
  ['0001-01-01', 1, '2026-11-17', '2026-12-01'],
])('a quota due on %s, on day %i, is renewed on %s and is due next on %s', (date, day, today, next) => {
  expect(nextRenewal(date, day, today)).toBe(next)
})

test('the remembered day counts only in a month that is too short for it', () => {
  expect(renewalDay('2027-02-28', 31)).toBe(31)
  expect(renewalDay('2027-03-31', 31)).toBe(31)
  expect(renewalDay('2027-02-28', null)).toBe(28)
  // A server of an earlier release has set another date since.
  expect(renewalDay('2027-03-15', 31)).toBe(15)
})
