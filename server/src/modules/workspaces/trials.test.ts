import type { AuditPage } from '@watchdesk/contract/activity'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { beforeEach, expect, test } from 'vitest'
import { insertUser, openSession } from '../../../test/helpers/people.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { endTrials } from './trials.ts'
import { createTrialsAndQuotasTask } from './trials-and-quotas.ts'

const watchdesk = useWatchdesk()

beforeEach(() => watchdesk.database.pool.query(`update workspaces set status = 'INTERNAL'`))

function createTrial(trial_end_date: string) {
  return watchdesk.createWorkspace({ status: 'TRIAL', trial_end_date: `${trial_end_date}T00:00:00` })
}

async function statusOf(id: number) {
  return (await watchdesk.admin<Workspace>('GET', `/api/v1/workspaces/${id}`)).body.status
}

const end = (today: string) => endTrials(watchdesk.database.db, today)

/** As if the trial of the workspace with the first super admin were over. */
function endFirstTrial(date: string) {
  return watchdesk.database.pool.query(`update workspaces set status = 'TRIAL', trial_end_date = $1 where id = 1`, [
    date,
  ])
}

test('a trial is deactivated after its last day, as an event of Watchdesk, and the sessions of its users end', async () => {
  const { id } = await createTrial('2027-01-05')
  const admin = await openSession(watchdesk, (await insertUser(watchdesk, { workspace_id: id, is_admin: true })).id)
  expect((await end('2027-01-05')).deactivated).toEqual([])
  expect((await admin('GET', '/api/v1/users/me')).status).toBe(200)
  expect((await end('2027-01-06')).deactivated).toMatchObject([{ id }])
  expect((await admin('GET', '/api/v1/users/me')).status).toBe(401)
  expect(await statusOf(id)).toBe('DEACTIVATED')
  const { body } = await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?entity=workspace&entity_id=${id}`)
  expect(body.objects[0]).toMatchObject({
    action: 'update',
    actor: { id: null, name: 'Watchdesk' },
    version: 2,
    changes: { status: { before: 'TRIAL', after: 'DEACTIVATED' } },
  })
  expect((await end('2027-01-06')).deactivated).toEqual([])
})

test('only live trials end, however many there are and whichever servers work on them', async () => {
  const ended = await Promise.all(Array.from({ length: 7 }, () => createTrial('2027-02-01')))
  const later = await createTrial('2027-03-01')
  const paid = await watchdesk.createWorkspace({ status: 'PAID_CLIENT', trial_end_date: '2027-02-01T00:00:00' })
  const deleted = await createTrial('2027-02-01')
  await watchdesk.admin('DELETE', `/api/v1/workspaces/${deleted.id}`)
  const parts = await Promise.all([end('2027-02-15'), end('2027-02-15')])
  const ids = parts.flatMap(({ deactivated }) => deactivated.map(({ id }) => id))
  expect(ids.sort((a, b) => a - b)).toEqual(ended.map(({ id }) => id).sort((a, b) => a - b))
  expect([await statusOf(later.id), await statusOf(paid.id)]).toEqual(['TRIAL', 'PAID_CLIENT'])
})

test('the workspace with the last super admin who can sign in stays active, which is logged once', async () => {
  await endFirstTrial('2020-01-01')
  const lines: string[] = []
  const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) }
  const run = createTrialsAndQuotasTask(watchdesk.database.db, { QUOTA_RENEWAL: 'off', TRIAL_END: 'deactivate' }, log)
  await run()
  await run()
  expect(await statusOf(1)).toBe('TRIAL')
  expect(lines).toEqual([
    'The trial of Internal has ended. It stays active: it has the last super admin who can sign in',
  ])
})

test('of several workspaces with the only super admins, one stays active', async () => {
  const other = await createTrial('2020-01-01')
  await insertUser(watchdesk, { workspace_id: other.id, is_super_admin: true })
  await endFirstTrial('2020-01-01')
  const { deactivated, kept } = await end('2027-04-01')
  expect([deactivated, kept]).toMatchObject([[{ id: other.id }], [{ id: 1 }]])
})

test('a trial is only shown as ended unless TRIAL_END is deactivate', async () => {
  const { id } = await createTrial('2020-01-01')
  const log = { info: expect.fail, warn: expect.fail }
  await createTrialsAndQuotasTask(watchdesk.database.db, { QUOTA_RENEWAL: 'off', TRIAL_END: 'show' }, log)()
  expect(await statusOf(id)).toBe('TRIAL')
})
