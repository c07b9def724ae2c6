import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { BulkChanged, BulkPreview } from '@watchdesk/contract/operations/changes'
import type { Operation, UndoPreview } from '@watchdesk/contract/operations/operations'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertUser, openSession } from '../../../../test/helpers/people.ts'
import { useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

type Records = 'users' | 'workspaces' | 'powerbi_dashboards'

/** Makes the change that the preview shows. */
async function change(records: Records, body: object) {
  const url = `/api/v1/${records}/change`
  const { count, changed_count } = (await watchdesk.admin<BulkPreview>('POST', `${url}/preview`, body)).body
  const expected = { expected_count: count, expected_changed_count: changed_count }
  const changed = await watchdesk.admin<BulkChanged>('POST', url, { ...body, ...expected })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  return changed.body.import_id ?? 0
}

const look = async (id: number) => (await watchdesk.admin<UndoPreview>('GET', `/api/v1/imports/${id}/undo`)).body
const undo = (id: number, changed: unknown = 'leave') =>
  watchdesk.admin<Operation>('POST', `/api/v1/imports/${id}/undo`, { changed })

/** All content of the tables, without what counts or names changes. */
async function content() {
  const { rows } = await sql<{ content: unknown }>`select json_build_object(
      'users', (select json_agg(to_jsonb(users) - '{version,updated_at,updated_by}'::text[] order by id) from users),
      'workspaces', (select json_agg(to_jsonb(workspaces) - '{version,updated_at,updated_by}'::text[] order by id) from workspaces),
      'dashboards', (select json_agg(to_jsonb(boards) - '{version,updated_at,updated_by}'::text[] order by id)
        from powerbi_dashboards as boards),
      'places', (select json_agg(places order by workspace_id, position, dashboard_id) from workspace_dashboards as places)
    ) as content`.execute(watchdesk.database.db)
  return rows[0]?.content
}

async function some(count: number, account: object = {}) {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  const ids = []
  for (let n = 0; n < count; n += 1) ids.push((await insertUser(watchdesk, { workspace_id, ...account })).id)
  return { workspace_id, ids }
}

test('a change of users is undone exactly, and done again once', async () => {
  const { ids } = await some(3, { is_admin: true })
  const home = await watchdesk.createWorkspace()
  const before = await content()
  const set = { workspace_id: home.id, type: 'MODERATOR', language: 'UK', is_admin: false }
  const id = await change('users', { action: 'update', set, ids })
  const after = await content()
  expect(after).not.toEqual(before)
  expect(await look(id)).toMatchObject({
    effects: { users_put_back: 3 },
    changed_count: 0,
    gone_count: 0,
    problem: null,
  })

  const undone = await undo(id)
  expect([undone.status, undone.body.counts]).toEqual([200, { 'users put back': 3 }])
  expect(await content()).toEqual(before)
  const redone = await undo(undone.body.id)
  expect(redone.body).toMatchObject({ is_redo: true, origin_kind: 'users_change', can_undo: false })
  expect(await content()).toEqual(after)
  expect([(await undo(id)).status, (await undo(redone.body.id)).status]).toEqual([409, 409])
  const history = await watchdesk.eventsOf(`entity=user&entity_id=${ids[0]}&changes_only=true`)
  expect(history.map(({ action, version, changes }) => [action, version, changes.type?.after])).toEqual([
    ['update', 4, 'MODERATOR'],
    ['update', 3, 'STANDARD'],
    ['update', 2, 'MODERATOR'],
  ])
  const [event] = await watchdesk.eventsOf('page_size=1')
  expect(event).toMatchObject({ action: 'undo', entity: 'users', parts: 3 })
})

test('a user that somebody changed since is left alone, unless it is chosen', async () => {
  const { ids } = await some(4)
  const [, edited = 0, other = 0, deleted = 0] = ids
  const id = await change('users', { action: 'update', set: { type: 'MODERATOR' }, ids })
  await watchdesk.admin('PATCH', `/api/v1/users/${edited}`, { type: 'UNDERPRIVILEGED' })
  // Another field, which the change did not touch.
  await watchdesk.admin('PATCH', `/api/v1/users/${other}`, { first_name: 'Renamed' })
  await watchdesk.admin('DELETE', `/api/v1/users/${deleted}`)
  expect(await look(id)).toMatchObject({
    effects: { users_put_back: 2 },
    changed_count: 2,
    changed: [
      {
        id: edited,
        what: 'edited',
        effect: 'users_put_back',
        changes: { type: { before: 'UNDERPRIVILEGED', after: 'STANDARD' } },
        problem: null,
        by: { id: 1 },
      },
      { id: deleted, what: 'removed', effect: 'nothing', problem: 'It was deleted since. Restore it first.' },
    ],
  })
  const undone = await undo(id, [edited])
  expect(undone.body.counts).toEqual({ 'users put back': 3, 'left alone': 1 })
  const types = await sql<{ type: string }>`select type from users where id = any(${ids}::int[]) order by id`.execute(
    watchdesk.database.db,
  )
  expect(types.rows.map(({ type }) => type)).toEqual(['STANDARD', 'STANDARD', 'STANDARD', 'MODERATOR'])
})

test('deleted users are restored as a whole; an email that somebody else has now is left alone with the reason', async () => {
  const { ids, workspace_id } = await some(3)
  const { email } = await insertUser(watchdesk, { workspace_id })
  const id = await change('users', { action: 'delete', ids })
  await sql`update users set email = ${email} where id = ${ids[0]}`.execute(watchdesk.database.db)
  expect(await look(id)).toMatchObject({
    effects: { users_restored: 2 },
    changed_count: 1,
    changed: [{ id: ids[0], effect: 'nothing', problem: `Kim Quick now has the email ${email}.` }],
  })
  expect((await undo(id, 'all')).body.counts).toEqual({ 'users restored': 2, 'left alone': 1 })
  expect((await watchdesk.admin('GET', `/api/v1/users/${ids[1]}`)).status).toBe(200)
  expect((await watchdesk.admin('GET', `/api/v1/users/${ids[0]}`)).status).toBe(404)
})

test('a deleted user that was restored and deleted again since stays deleted', async () => {
  const { ids } = await some(2)
  const id = await change('users', { action: 'delete', ids })
  await watchdesk.admin('POST', `/api/v1/users/${ids[0]}/restore`)
  await watchdesk.admin('DELETE', `/api/v1/users/${ids[0]}`)
  expect(await look(id)).toMatchObject({ effects: { users_restored: 1 }, changed: [{ id: ids[0], what: 'removed' }] })
  expect((await undo(id)).body.counts).toEqual({ 'users restored': 1, 'left alone': 1 })
})

test('users return only to a workspace that exists', async () => {
  const { ids, workspace_id } = await some(1)
  const home = await watchdesk.createWorkspace()
  const id = await change('users', { action: 'update', set: { workspace_id: home.id }, ids })
  await watchdesk.admin('DELETE', `/api/v1/workspaces/${workspace_id}`)
  expect((await look(id)).changed).toMatchObject([
    { effect: 'nothing', problem: expect.stringMatching(/^The workspace .+ is deleted\. Restore it first\.$/) },
  ])
  expect((await undo(id, 'all')).status).toBe(409)
})

test('an undo that would take your own rights leaves you alone', async () => {
  const { id: user } = await insertUser(watchdesk, { workspace_id: 1 })
  const id = await change('users', { action: 'update', set: { is_super_admin: true }, ids: [user] })
  const call = await openSession(watchdesk, user)
  const seen = await call<UndoPreview>('GET', `/api/v1/imports/${id}/undo`)
  expect(seen.body.changed).toMatchObject([
    { id: user, problem: 'You cannot remove your own admin rights. Ask another admin to do it.' },
  ])
  expect((await call('POST', `/api/v1/imports/${id}/undo`, { changed: 'all' })).status).toBe(409)
})

test('a change of workspaces is undone exactly, with quotas, lists and dashboards', async () => {
  const [first, second] = [await watchdesk.createDashboard('First'), await watchdesk.createDashboard('Second')]
  const [role = '', another = ''] = watchdesk.deps.catalog.all_roles
  const ids = []
  for (const body of [
    { roles: [role], powerbi_dashboards: [first, second] },
    { status: 'TRIAL', trial_end_date: '2027-01-01T00:00:00' } as const,
  ])
    ids.push((await watchdesk.createWorkspace(body)).id)
  const before = await content()
  const id = await change('workspaces', {
    action: 'update',
    set: {
      status: 'PAID_CLIENT',
      ai_quota: { top_up: 5 },
      analytical_quota: { limit: 1, fill: true },
      roles: { add: [another], remove: [role] },
      powerbi_dashboards: { remove: [first] },
    },
    ids,
  })
  const after = await content()
  expect((await undo(id)).body.counts).toEqual({ 'workspaces put back': 2 })
  expect(await content()).toEqual(before)
  expect((await undo(id)).status).toBe(409)
  const { body } = await watchdesk.admin<Operation>('GET', `/api/v1/imports/${id}`)
  await undo(body.undone?.import_id ?? 0)
  expect(await content()).toEqual(after)
})

test('a quota that was renewed since keeps its next renewal date', async () => {
  const { id } = await watchdesk.createWorkspace()
  const change_id = await change('workspaces', { action: 'update', set: { ai_quota: { top_up: 20 } }, ids: [id] })
  await sql`update workspaces set ai_quota = ai_quota || '{"balance": 500, "renewal_date": "2027-01-01T00:00:00"}', version = 3
    where id = ${id}`.execute(watchdesk.database.db)
  expect((await look(change_id)).changed_count).toBe(1)
  await undo(change_id, 'all')
  const { body } = await watchdesk.admin<Workspace>('GET', `/api/v1/workspaces/${id}`)
  expect(body.ai_quota).toEqual({ limit: 500, balance: 180, renewal_date: '2027-01-01T00:00:00' })
})

test('deleted workspaces are restored exactly, with their users', async () => {
  const { workspace_id, ids } = await some(2)
  const empty = await watchdesk.createWorkspace()
  // Deleted before: it stays so.
  await watchdesk.admin('DELETE', `/api/v1/users/${ids[1]}`)
  const before = await content()
  const id = await change('workspaces', { action: 'delete', ids: [workspace_id, empty.id] })
  expect(await look(id)).toMatchObject({ effects: { workspaces_restored: 2 } })
  const undone = await undo(id)
  expect(undone.body.counts).toEqual({ 'workspaces restored': 2 })
  expect(await content()).toEqual(before)
  expect((await watchdesk.admin('GET', `/api/v1/users/${ids[0]}`)).status).toBe(200)
  expect((await watchdesk.admin('GET', `/api/v1/users/${ids[1]}`)).status).toBe(404)
  expect((await undo(undone.body.id)).body.counts).toEqual({ 'workspaces deleted': 2 })
  expect((await watchdesk.admin('GET', `/api/v1/users/${ids[0]}`)).status).toBe(404)
})

test('a workspace whose former dashboard is deleted is left alone, with the reason', async () => {
  const dashboard = await watchdesk.createDashboard('Soon gone')
  const { id: workspace_id } = await watchdesk.createWorkspace({ powerbi_dashboards: [dashboard] })
  const set = { powerbi_dashboards: { remove: [dashboard] } }
  const id = await change('workspaces', { action: 'update', set, ids: [workspace_id] })
  await watchdesk.admin('DELETE', `/api/v1/powerbi_dashboards/${dashboard}`)
  expect((await look(id)).changed).toMatchObject([
    { effect: 'nothing', problem: 'A dashboard that it showed is deleted. Restore it first, or edit the workspace.' },
  ])
  expect((await undo(id)).status).toBe(409)
  await watchdesk.admin('POST', `/api/v1/powerbi_dashboards/${dashboard}/restore`)
  expect((await undo(id)).body.counts).toEqual({ 'workspaces put back': 1 })
})

test('deleted dashboards are restored where they were', async () => {
  const boards = [
    await watchdesk.createDashboard('A'),
    await watchdesk.createDashboard('B'),
    await watchdesk.createDashboard('C'),
  ]
  await watchdesk.createWorkspace({ powerbi_dashboards: boards })
  const before = await content()
  const id = await change('powerbi_dashboards', { action: 'delete', ids: boards.slice(0, 2) })
  expect((await undo(id)).body.counts).toEqual({ 'dashboards restored': 2 })
  expect(await content()).toEqual(before)
})

test('users that were deleted before their workspace do not count for the choice between a call and a job', async () => {
  const { id } = await watchdesk.createWorkspace()
  await sql`insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language,
      deleted_at)
    select ${id}::int, 'Kim', 'Quick', 'gone' || n || '@example.com', '-', false, false, 'STANDARD', '', now()
    from generate_series(1, ${ROWS_IN_A_CALL}::int) n`.execute(watchdesk.database.db)
  const { body } = await undo(await change('workspaces', { action: 'delete', ids: [id] }))
  expect(body).toMatchObject({ state: 'done', counts: { 'workspaces restored': 1 } })
  expect((await undo(body.id)).body).toMatchObject({ state: 'done', counts: { 'workspaces deleted': 1 } })
})
