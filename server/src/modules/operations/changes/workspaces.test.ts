import { MAX_QUOTA } from '@watchdesk/contract/limits'
import type { BulkChanged, BulkPreview, BulkRecords } from '@watchdesk/contract/operations/changes'
import type { OperationRows } from '@watchdesk/contract/operations/operations'
import type { Workspace, WorkspaceBody } from '@watchdesk/contract/workspaces'
import { expect, test } from 'vitest'
import { insertUser, openSession } from '../../../../test/helpers/people.ts'
import { QUOTAS, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const preview = (body: object) => watchdesk.admin<BulkPreview>('POST', '/api/v1/workspaces/change/preview', body)
const get = async (id: number) => (await watchdesk.admin<Workspace>('GET', `/api/v1/workspaces/${id}`)).body

/** Makes the change that the preview shows. */
async function change(body: object) {
  const seen = await preview(body)
  expect(seen.status, JSON.stringify(seen.body)).toBe(200)
  const { count: expected_count, changed_count: expected_changed_count } = seen.body
  const changed = await watchdesk.admin<BulkChanged>('POST', '/api/v1/workspaces/change', {
    ...body,
    expected_count,
    expected_changed_count,
  })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  expect(changed.body).toMatchObject({ changed_count: expected_changed_count, refused_count: seen.body.refused_count })
  return { ...changed.body, seen: seen.body }
}

async function some(...bodies: Partial<WorkspaceBody>[]) {
  const ids = []
  for (const body of bodies) ids.push((await watchdesk.createWorkspace(body)).id)
  return ids
}

const reasons = ({ refused }: BulkPreview) => refused.map(({ reason, count }) => [reason, count])
/** A day as the API writes it. */
const day = (inDays: number) => `${new Date(Date.now() + inDays * 86_400_000).toISOString().slice(0, 10)}T00:00:00`

test('every workspace of a preview is listed, and why one is left out', async () => {
  const ids = await some({}, { trial_end_date: '2027-01-01T00:00:00' })
  const wanted = { action: 'update', set: { status: 'TRIAL' }, ids }
  const list = async (outcome: string) => {
    const body = { ...wanted, outcome }
    return (await watchdesk.admin<BulkRecords>('POST', '/api/v1/workspaces/change/preview/records', body)).body
  }
  const changes = { status: { before: null, after: 'TRIAL' } }
  expect(await list('changed')).toMatchObject({ records: [{ id: ids[1], changes, reason: null }], has_more: false })
  expect(await list('refused')).toMatchObject({
    records: [{ id: ids[0], reason: 'It has no trial end date. Set one to make it a trial.' }],
    has_more: false,
  })
  expect(await list('unchanged')).toEqual({ records: [], has_more: false })
})

test('the status of many workspaces is set; a trial needs a last day', async () => {
  const ids = await some({}, { trial_end_date: '2027-01-01T00:00:00' })
  const { seen, import_id } = await change({ action: 'update', set: { status: 'TRIAL' }, ids })
  expect(reasons(seen)).toEqual([['It has no trial end date. Set one to make it a trial.', 1]])
  expect(seen.refused[0]?.examples).toMatchObject([{ id: ids[0] }])
  expect(await Promise.all(ids.map(get))).toMatchObject([
    { status: null, version: 1 },
    { status: 'TRIAL', version: 2 },
  ])
  const rows = (await watchdesk.admin<OperationRows>('GET', `/api/v1/imports/${import_id}/rows`)).body
  expect(rows.rows.map(({ cells }) => cells.slice(2))).toEqual([
    ['status: none → TRIAL', 'refused', 'It has no trial end date. Set one to make it a trial.'],
    ['status: none → TRIAL', 'changed', ''],
  ])
  const refused = (await watchdesk.admin<OperationRows>('GET', `/api/v1/imports/${import_id}/rows?outcome=refused`))
    .body
  expect(refused.total).toBe(1)
  await change({ action: 'update', set: { status: 'TRIAL', trial_end_date: '2027-02-03T00:00:00' }, ids })
  expect(await Promise.all(ids.map(get))).toMatchObject([
    { status: 'TRIAL', trial_end_date: '2027-02-03T00:00:00' },
    { status: 'TRIAL', trial_end_date: '2027-02-03T00:00:00' },
  ])
  await change({ action: 'update', set: { status: null }, ids })
  const [event] = await watchdesk.eventsOf('page_size=1')
  expect(event?.changes).toEqual({
    changed_count: { before: null, after: 2 },
    status: { before: null, after: null },
  })
})

test('trials are extended from their last day, or from today if it has passed; others are refused', async () => {
  const trial = (trial_end_date: string) => ({ status: 'TRIAL', trial_end_date }) as const
  const ids = await some(trial(day(10)), trial(day(-10)), {}, trial('9999-12-25T00:00:00'))
  const { seen } = await change({ action: 'update', set: { extend_trial_days: 14 }, ids })
  expect(reasons(seen)).toEqual([
    ['It is not a trial.', 1],
    ['The trial would end after the year 9999.', 1],
  ])
  expect(seen.notes).toEqual(['1 trial has ended: it is extended from today.'])
  expect((await Promise.all(ids.map(get))).map(({ trial_end_date }) => trial_end_date)).toEqual([
    day(24),
    day(14),
    null,
    '9999-12-25T00:00:00',
  ])
})

test('quotas are set, topped up and filled, up to the largest amount', async () => {
  const { ai_quota } = QUOTAS
  const ids = await some({}, { ai_quota: { ...ai_quota, balance: MAX_QUOTA } })
  const { seen } = await change({ action: 'update', set: { ai_quota: { top_up: 1000 } }, ids })
  expect(reasons(seen)).toEqual([['The balance of its AI quota would be more than 1,000,000,000,000.', 1]])
  expect((await get(ids[0] ?? 0)).ai_quota).toEqual({ ...ai_quota, balance: 1180 })
  await change({
    action: 'update',
    set: { ai_quota: { limit: 700, fill: true }, analytical_quota: { balance: 5 } },
    ids,
  })
  expect(await Promise.all(ids.map(get))).toMatchObject([
    { ai_quota: { ...ai_quota, limit: 700, balance: 700 }, analytical_quota: { limit: 10_000, balance: 5 } },
    { ai_quota: { ...ai_quota, limit: 700, balance: 700 }, analytical_quota: { limit: 10_000, balance: 5 } },
  ])
})

test('roles, feature flags and dashboards are added and removed, and the others stay', async () => {
  const { all_roles, all_featureflags } = watchdesk.deps.catalog
  const [one = '', two = '', three = ''] = all_roles
  const [flag = ''] = all_featureflags
  const embed_link = 'https://bi.example.com/x'
  const make = async (name: string) =>
    (await watchdesk.admin<{ id: number }>('POST', '/api/v1/powerbi_dashboards/', { name, embed_link })).body.id
  const [first, second] = [await make('First'), await make('Second')]
  const ids = await some({ roles: [one, two], powerbi_dashboards: [first] }, { roles: [three], homepage: '/kept' })
  await change({
    action: 'update',
    set: {
      roles: { add: [three], remove: [one] },
      featureflags: { add: [flag] },
      powerbi_dashboards: { add: [second], remove: [first] },
    },
    ids,
  })
  expect((await Promise.all(ids.map(get))).map(({ config }) => config)).toMatchObject([
    { roles: [two, three], featureflags: [flag], powerbi_dashboards: [second] },
    { roles: [three], featureflags: [flag], powerbi_dashboards: [second], homepage: '/kept' },
  ])
  const history = await watchdesk.eventsOf(`entity=workspace&entity_id=${ids[0]}`)
  expect(history[0]?.changes).toEqual({
    roles: { before: [one, two], after: [two, three] },
    featureflags: { before: [], after: [flag] },
    powerbi_dashboards: { before: [first], after: [second] },
  })
})

test('only what exists can be added', async () => {
  const ids = await some({})
  const refused = async (set: object) => {
    const { status, body } = await preview({ action: 'update', set, ids })
    return [status, Object(body).detail[0].msg]
  }
  expect(await refused({ roles: { add: ['unheard'] } })).toEqual([422, 'unheard is not a valid choice for roles.'])
  expect(await refused({ featureflags: { add: ['unheard'] } })).toEqual([
    422,
    'unheard is not a valid choice for featureflags.',
  ])
  expect(await refused({ powerbi_dashboards: { add: [999_999] } })).toEqual([422, 'Dashboard 999999 does not exist.'])
})

test('deactivating many workspaces signs their people out; your own workspace stays', async () => {
  const ids = await some({}, {})
  const { id } = await insertUser(watchdesk, { workspace_id: ids[0] ?? 0, is_admin: true })
  const signedIn = await openSession(watchdesk, id)
  const { seen } = await change({ action: 'update', set: { status: 'DEACTIVATED' }, ids: [...ids, 1] })
  expect(reasons(seen)).toEqual([['You cannot deactivate your own workspace.', 1]])
  expect(seen.notes).toEqual([
    '1 user cannot sign in until the workspace is active again.',
    '1 person will be signed out.',
  ])
  expect((await signedIn('GET', '/api/v1/users/')).status).toBe(401)
  expect(await Promise.all(ids.map(get))).toMatchObject([{ status: 'DEACTIVATED' }, { status: 'DEACTIVATED' }])
})

test('many workspaces are deleted with their users, each of them as a part of the event of its workspace', async () => {
  const ids = await some({}, {})
  const users = [
    await insertUser(watchdesk, { workspace_id: ids[0] ?? 0, is_admin: true }),
    await insertUser(watchdesk, { workspace_id: ids[0] ?? 0 }),
  ]
  const signedIn = await openSession(watchdesk, users[0]?.id ?? 0)
  const { seen } = await change({ action: 'delete', ids: [...ids, 1] })
  expect(reasons(seen)).toEqual([['You cannot delete your own workspace.', 1]])
  expect(seen.notes).toEqual(['2 users will be deleted with them.'])
  expect((await signedIn('GET', '/api/v1/users/')).status).toBe(401)
  const [event] = await watchdesk.eventsOf('page_size=1')
  expect(event).toMatchObject({ action: 'delete', entity: 'workspaces', parts: 2 })
  const parts = await watchdesk.eventsOf(`parent_id=${event?.id}`)
  expect(parts.map(({ entity_id, changes, parts }) => [entity_id, changes, parts])).toEqual([
    [ids[1], { users: { before: 0, after: 0 } }, 0],
    [ids[0], { users: { before: 2, after: 0 } }, 2],
  ])
  const ofUsers = await watchdesk.eventsOf(`parent_id=${parts[1]?.id}`)
  expect(ofUsers.map(({ entity_id, action, version }) => [entity_id, action, version])).toEqual(
    users.toReversed().map(({ id }) => [id, 'delete', 2]),
  )
  // As after a single delete, they return with their workspace.
  expect((await watchdesk.admin('POST', `/api/v1/workspaces/${ids[0]}/restore`)).status).toBe(200)
  expect((await watchdesk.admin('GET', `/api/v1/users/${users[1]?.id}`)).status).toBe(200)
})

test('a balance above the limit, and a trial that is over, are said before the change', async () => {
  const ai_quota = { ...QUOTAS.ai_quota, limit: 500, balance: 20 }
  const ids = await some({ ai_quota, trial_end_date: day(-1) })
  const notes = async (set: object) => (await preview({ action: 'update', set, ids })).body.notes
  expect(await notes({ ai_quota: { top_up: 481 } })).toContain(
    'The balance of 1 workspace will be higher than the limit.',
  )
  expect(await notes({ ai_quota: { balance: 0 } })).toEqual([])
  expect(await notes({ status: 'TRIAL' })).toEqual(['The trial of 1 workspace has ended already.'])
  expect(await notes({ status: 'TRIAL', trial_end_date: day(0) })).toEqual([])
})

test('users who came to a workspace since the preview make its deletion ask again', async () => {
  const [id = 0] = await some({})
  const wanted = { action: 'delete', ids: [id] }
  const seen = (await preview(wanted)).body
  await insertUser(watchdesk, { workspace_id: id })
  const expected = { expected_count: 1, expected_changed_count: 1, expected_checksum: seen.checksum }
  const { status } = await watchdesk.admin('POST', '/api/v1/workspaces/change', { ...wanted, ...expected })
  expect(status).toBe(409)
  expect((await get(id)).id).toBe(id)
})
