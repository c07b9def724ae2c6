import type { BulkChanged, BulkPreview, BulkRecords } from '@watchdesk/contract/operations/changes'
import type { Operation, OperationRows } from '@watchdesk/contract/operations/operations'
import type { User } from '@watchdesk/contract/users'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expect, test } from 'vitest'
import { insertUser, openSession } from '../../../../test/helpers/people.ts'
import { useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const preview = (body: object) => watchdesk.admin<BulkPreview>('POST', '/api/v1/users/change/preview', body)
const list = async (body: object) =>
  (await watchdesk.admin<BulkRecords>('POST', '/api/v1/users/change/preview/records', body)).body
const change = (body: object, headers?: Record<string, string>) =>
  watchdesk.admin<BulkChanged>('POST', '/api/v1/users/change', body, headers)
const get = async (id: number) => (await watchdesk.admin<User>('GET', `/api/v1/users/${id}`)).body
const expecting = (expected_count: number, expected_changed_count = expected_count) => ({
  expected_count,
  expected_changed_count,
})

/** Users that no other test uses. */
async function some(count: number, account: object = {}) {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  const users = []
  for (let n = 0; n < count; n += 1) users.push(await insertUser(watchdesk, { workspace_id, ...account }))
  return { workspace_id, ids: users.map(({ id }) => id), filter: { workspace_ids: [workspace_id] } }
}

test('many users are moved at once, as an import with an event for each of them', async () => {
  const { ids, filter, workspace_id } = await some(3)
  const from = (await watchdesk.admin<Workspace>('GET', `/api/v1/workspaces/${workspace_id}`)).body
  const home = await watchdesk.createWorkspace({ name: 'Atlas Media' })
  const wanted = { action: 'update', set: { workspace_id: home.id, type: 'MODERATOR' }, filter }
  const seen = await preview(wanted)
  const changes = {
    workspace_id: { before: workspace_id, after: home.id },
    type: { before: 'STANDARD', after: 'MODERATOR' },
  }
  expect(seen.body).toEqual({
    count: 3,
    changed_count: 3,
    unchanged_count: 0,
    refused_count: 0,
    checksum: expect.stringMatching(/^[\da-f]{32}$/),
    changed_fields: ['type', 'workspace_id'],
    changed: ids.map((id) => ({ id, name: 'Kim Quick', changes })),
    refused: [],
    notes: [],
  })
  const { status, body } = await change({ ...wanted, ...expecting(3) })
  expect({ status, body }).toEqual({
    status: 200,
    body: { changed_count: 3, refused_count: 0, import_id: expect.any(Number), job_id: null },
  })
  for (const id of ids) {
    expect(await get(id)).toMatchObject({ workspace_id: home.id, type: 'MODERATOR', version: 2 })
    const history = await watchdesk.eventsOf(`entity=user&entity_id=${id}&changes_only=true`)
    expect(history).toMatchObject([{ action: 'update', changes, version: 2, workspace: { id: home.id } }])
  }
  const made = (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${body.import_id}`)).body
  expect(made).toMatchObject({
    kind: 'users_change',
    state: 'done',
    counts: { changed: 3 },
    rows_count: 3,
    summary: 'Changed the workspace and type of 3 users',
  })
  const rows = (await watchdesk.admin<OperationRows>('GET', `/api/v1/imports/${body.import_id}/rows`)).body
  expect(rows.header).toEqual(['id', 'name', 'email', 'change', 'outcome', 'reason'])
  expect(rows.rows.map(({ cells }) => [cells[0], ...cells.slice(3)])).toEqual(
    ids.map((id) => [String(id), `type: STANDARD → MODERATOR; workspace: ${from.name} → Atlas Media`, 'changed', '']),
  )
})

test('the global activity has one line for the change, and its parts behind it; the workspace has its own', async () => {
  const { ids, workspace_id } = await some(2)
  const { body } = await change({ action: 'update', set: { language: 'UK' }, ids, ...expecting(2) })
  const [latest, before] = await watchdesk.eventsOf('page_size=2')
  expect(latest).toMatchObject({
    action: 'update',
    entity: 'users',
    entity_id: body.import_id,
    parts: 2,
    changes: { changed_count: { before: null, after: 2 }, language: { before: null, after: 'UK' } },
  })
  expect(before?.entity).not.toBe('user')
  expect(
    (await watchdesk.eventsOf(`parent_id=${latest?.id}`)).map(({ entity, entity_id }) => [entity, entity_id]),
  ).toEqual(ids.toReversed().map((id) => ['user', id]))
  const { id } = await insertUser(watchdesk, { workspace_id, is_admin: true })
  const admin = await openSession(watchdesk, id)
  const own = await watchdesk.eventsOf('entity=user', admin)
  expect(own.map(({ entity_id }) => entity_id)).toEqual(ids.toReversed())
})

test('users that are as wanted are left alone', async () => {
  const { ids } = await some(2)
  await watchdesk.admin('PATCH', `/api/v1/users/${ids[0]}`, { type: 'MODERATOR' })
  const wanted = { action: 'update', set: { type: 'MODERATOR' }, ids }
  expect((await preview(wanted)).body).toMatchObject({ count: 2, changed_count: 1, unchanged_count: 1 })
  expect((await change({ ...wanted, ...expecting(2, 1) })).body).toMatchObject({ changed_count: 1 })
  expect(await Promise.all(ids.map(get))).toMatchObject([{ version: 2 }, { version: 2 }])
  expect((await change({ ...wanted, ...expecting(2, 0) })).body).toEqual({
    changed_count: 0,
    refused_count: 0,
    import_id: null,
    job_id: null,
  })
})

test('every record of a preview is listed, 100 at a time, with the reason of those left out', async () => {
  const { ids } = await some(102)
  const already = await some(1, { type: 'MODERATOR' })
  const me = (await watchdesk.admin<User>('GET', '/api/v1/users/me')).body
  const set = { type: 'MODERATOR', is_super_admin: false }
  const wanted = { action: 'update', set, ids: [...already.ids, ...ids, me.id] }
  const { changed_count, unchanged_count, refused, refused_count } = (await preview(wanted)).body
  expect([changed_count, unchanged_count, refused_count]).toEqual([102, 1, 1])
  const first = await list({ ...wanted, outcome: 'changed' })
  const second = await list({ ...wanted, outcome: 'changed', after_id: first.records.at(-1)?.id })
  expect([first.records.length, first.has_more, second.has_more]).toEqual([100, true, false])
  const one = await get(ids[0] ?? 0)
  const changes = { type: { before: 'STANDARD', after: 'MODERATOR' } }
  expect(first.records[0]).toEqual({ id: one.id, name: 'Kim Quick', detail: one.email, changes, reason: null })
  expect([...first.records, ...second.records].map(({ id }) => id)).toEqual(ids)
  expect(await list({ ...wanted, outcome: 'unchanged' })).toMatchObject({
    records: [{ id: already.ids[0], changes: {}, reason: null }],
    has_more: false,
  })
  expect(await list({ ...wanted, outcome: 'refused' })).toMatchObject({
    records: [{ id: me.id, detail: me.email, reason: refused[0]?.reason }],
    has_more: false,
  })
})

test('a number that has changed since the preview asks again, with the new numbers', async () => {
  const { ids, filter } = await some(3)
  const wanted = { action: 'update', set: { type: 'MODERATOR' }, filter }
  const again = 'Check what will change and try again.'
  const { status, body } = await change({ ...wanted, ...expecting(2) })
  expect([status, body]).toEqual([409, { detail: `3 users match now instead of 2. ${again}` }])
  await watchdesk.admin('PATCH', `/api/v1/users/${ids[0]}`, { type: 'MODERATOR' })
  expect((await change({ ...wanted, ...expecting(3) })).body).toEqual({
    detail: `2 users would change now instead of 3. ${again}`,
  })
  expect((await get(ids[1] ?? 0)).type).toBe('STANDARD')
})

test('a call with the same key changes the users once', async () => {
  const { ids } = await some(2)
  const body = { action: 'update', set: { type: 'MODERATOR' }, ids, ...expecting(2) }
  const headers = { 'idempotency-key': 'users-change-1' }
  const first = await change(body, headers)
  expect((await change(body, headers)).body).toEqual(first.body)
  expect(await Promise.all(ids.map(get))).toMatchObject([{ version: 2 }, { version: 2 }])
})

test('many users are deleted, and their sessions end', async () => {
  const { ids } = await some(2, { is_admin: true })
  const signedIn = await openSession(watchdesk, ids[0] ?? 0)
  const wanted = { action: 'delete', ids }
  expect((await preview(wanted)).body).toMatchObject({ changed_count: 2, notes: ['1 person will be signed out.'] })
  expect((await change({ ...wanted, ...expecting(2) })).status).toBe(200)
  expect((await signedIn('GET', '/api/v1/users/')).status).toBe(401)
  const bin = await watchdesk.admin<{ objects: { id: number; deleted_by: { id: number } }[] }>(
    'GET',
    '/api/v1/bin/?kind=user',
  )
  expect(bin.body.objects.filter(({ id }) => ids.includes(id)).map(({ deleted_by }) => deleted_by.id)).toEqual([1, 1])
})

test('losing access ends the sessions, and so does a move into a deactivated workspace', async () => {
  const demoted = await some(2, { is_admin: true })
  const one = await openSession(watchdesk, demoted.ids[0] ?? 0)
  const wanted = { action: 'update', set: { is_admin: false }, ids: demoted.ids }
  expect((await preview(wanted)).body.notes).toEqual(['1 person will be signed out.'])
  await change({ ...wanted, ...expecting(2) })
  expect((await one('GET', '/api/v1/users/')).status).toBe(401)

  const moved = await some(1, { is_admin: true })
  const closed = await watchdesk.createWorkspace({ status: 'DEACTIVATED' })
  const two = await openSession(watchdesk, moved.ids[0] ?? 0)
  await change({ action: 'update', set: { workspace_id: closed.id }, ids: moved.ids, ...expecting(1) })
  expect((await two('GET', '/api/v1/users/')).status).toBe(401)
})

test('sessions are ended for many users, without an undo', async () => {
  const { ids } = await some(2, { is_admin: true })
  const signedIn = await openSession(watchdesk, ids[0] ?? 0)
  const { body } = await change({ action: 'end_sessions', ids, ...expecting(2, 2) })
  expect(body.changed_count).toBe(1)
  expect((await signedIn('GET', '/api/v1/users/')).status).toBe(401)
  expect((await get(ids[0] ?? 0)).version).toBe(1)
  const made = (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${body.import_id}`)).body
  expect(made).toMatchObject({ can_undo: false, summary: 'Signed out 1 user' })
})

test('other records than in the preview make it ask again, also if they are as many', async () => {
  const { ids, filter } = await some(3, { language: 'EN' })
  const wanted = { action: 'update', set: { type: 'MODERATOR' }, filter: { ...filter, language: 'EN' } }
  await watchdesk.admin('PATCH', `/api/v1/users/${ids[0]}`, { language: 'UK' })
  const { checksum: expected_checksum } = (await preview(wanted)).body
  await watchdesk.admin('PATCH', `/api/v1/users/${ids[0]}`, { language: 'EN' })
  await watchdesk.admin('PATCH', `/api/v1/users/${ids[1]}`, { language: 'UK' })
  const { status, body } = await change({ ...wanted, ...expecting(2), expected_checksum })
  expect([status, body]).toEqual([
    409,
    { detail: 'What would change is no longer what the preview showed. Check what will change and try again.' },
  ])
  const seen = (await preview(wanted)).body
  expect((await change({ ...wanted, ...expecting(2), expected_checksum: seen.checksum })).status).toBe(200)
})

test('workspace admins who are moved manage the new workspace, and the preview says so', async () => {
  const { ids } = await some(2, { is_admin: true })
  const others = await some(1)
  const home = await watchdesk.createWorkspace()
  const moved = { action: 'update', set: { workspace_id: home.id }, ids: [...ids, ...others.ids] }
  expect((await preview(moved)).body.notes).toEqual([
    '2 of them are workspace admins and will manage the users of the new workspace.',
  ])
  const demoted = { ...moved, set: { ...moved.set, is_admin: false } }
  expect((await preview(demoted)).body.notes).toEqual([])
})

test('only fields that change in any record are named', async () => {
  const { ids } = await some(2)
  const wanted = { action: 'update', set: { type: 'MODERATOR', is_super_admin: false }, ids }
  expect((await preview(wanted)).body.changed_fields).toEqual(['type'])
  const { body } = await change({ ...wanted, ...expecting(2) })
  const made = (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${body.import_id}`)).body
  expect(made.summary).toBe('Set the type of 2 users to MODERATOR')
  const [event] = await watchdesk.eventsOf(`entity=users&entity_id=${body.import_id}`)
  expect(Object.keys(event?.changes ?? {}).toSorted()).toEqual(['changed_count', 'type'])
})
