import type { BinRecord } from '@watchdesk/contract/bin'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { Page } from '@watchdesk/contract/page'
import { beforeEach, expect, test } from 'vitest'
import { type Caller, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
let home: { id: number; name: string }

beforeEach(async () => {
  home = await watchdesk.createWorkspace()
})

async function bin(query = '', call: Caller = watchdesk.admin) {
  const { status, body } = await call<Page<BinRecord>>('GET', `/api/v1/bin/?page_size=100&${query}`)
  expect(status).toBe(200)
  return body
}

async function recordOf(kind: string, id: number, call?: Caller) {
  return (await bin('', call)).objects.find((record) => record.kind === kind && record.id === id)
}

const remove = (path: string, id: number, call: Caller = watchdesk.admin) => call('DELETE', `/api/v1/${path}/${id}`)
const idsIn = ({ objects }: Page<BinRecord>) => objects.map(({ id }) => id)

async function workspaceAdmin(workspace_id: number) {
  const user = await watchdesk.createUser({ workspace_id, is_admin: true })
  return watchdesk.signIn(user.email)
}

test('a deleted user is listed with its workspace, who deleted it, and the days that are left', async () => {
  const user = await watchdesk.createUser({ workspace_id: home.id, first_name: 'Vera', last_name: 'Moroz' })
  const admin = await watchdesk.createUser({ is_super_admin: true, first_name: 'Ann', last_name: 'Author' })
  expect(await recordOf('user', user.id)).toBeUndefined()
  await remove('users', user.id, await watchdesk.signIn(admin.email))
  expect(await recordOf('user', user.id)).toEqual({
    kind: 'user',
    id: user.id,
    name: 'Vera Moroz',
    detail: user.email,
    workspace: { id: home.id, name: home.name },
    deleted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    deleted_by: { id: admin.id, name: 'Ann Author' },
    days_left: 30,
    users: 0,
    workspaces: 0,
    problem: null,
  })
  await watchdesk.database.pool.query(`update users set deleted_at = now() - interval '27 days' where id = $1`, [
    user.id,
  ])
  expect(await recordOf('user', user.id)).toMatchObject({ days_left: 3 })
  await watchdesk.database.pool.query(`update users set deleted_at = now() - interval '31 days' where id = $1`, [
    user.id,
  ])
  expect(await recordOf('user', user.id)).toMatchObject({ days_left: 0 })
})

test('a deleted workspace is one row, with the number of users that return with it', async () => {
  const before = await watchdesk.createUser({ workspace_id: home.id })
  const along = await watchdesk.createUser({ workspace_id: home.id })
  await remove('users', before.id)
  await remove('workspaces', home.id)
  expect(await recordOf('workspace', home.id)).toMatchObject({ name: home.name, detail: null, users: 1, problem: null })
  expect(await recordOf('user', along.id)).toBeUndefined()
  const text = 'Their workspace is deleted. Restore the workspace first.'
  expect((await recordOf('user', before.id))?.problem).toEqual({ reason: 'workspace_deleted', text, taken_by: null })
})

test('a deleted dashboard is listed with the number of workspaces that list it', async () => {
  const body = { name: 'Reach', description: 'Weekly', embed_link: 'https://bi.example.com/reach' }
  const { id } = (await watchdesk.admin<Dashboard>('POST', '/api/v1/powerbi_dashboards/', body)).body
  await watchdesk.createWorkspace({ powerbi_dashboards: [id] })
  const gone = await watchdesk.createWorkspace({ powerbi_dashboards: [id] })
  await remove('workspaces', gone.id)
  await remove('powerbi_dashboards', id)
  const expected = { kind: 'dashboard', id, name: 'Reach', detail: 'Weekly', workspaces: 1, problem: null }
  expect(await recordOf('dashboard', id)).toMatchObject(expected)
})

test('the last deleted record comes first, by page, with the total', async () => {
  const users = [await watchdesk.createUser({}), await watchdesk.createUser({})]
  for (const user of users) await remove('users', user.id)
  await remove('workspaces', home.id)
  const { objects, total } = await bin()
  expect(objects.slice(0, 3).map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    `workspace ${home.id}`,
    `user ${users[1]?.id}`,
    `user ${users[0]?.id}`,
  ])
  const second = (await watchdesk.admin<Page<BinRecord>>('GET', '/api/v1/bin/?page=2&page_size=1')).body
  expect(second).toMatchObject({ objects: [{ id: users[1]?.id }], total, size: 1 })
  const past = (await watchdesk.admin<Page<BinRecord>>('GET', '/api/v1/bin/?page=900')).body
  expect(past).toMatchObject({ objects: [], total })
})

test('it is searched by name and email, and filtered by kind', async () => {
  const user = await watchdesk.createUser({ first_name: 'Sofia', last_name: 'Searched', email: 'so_fia@example.com' })
  await remove('users', user.id)
  const workspace = await watchdesk.createWorkspace({ name: 'Searched Media' })
  await remove('workspaces', workspace.id)
  expect(idsIn(await bin('search=SEARCHED'))).toEqual([workspace.id, user.id])
  expect(idsIn(await bin('search=so_fia%40'))).toEqual([user.id])
  expect(idsIn(await bin('search=so%25fia'))).toEqual([])
  expect(idsIn(await bin('search=searched&kind=workspace'))).toEqual([workspace.id])
  for (const kind of ['user', 'workspace', 'dashboard'])
    expect(new Set((await bin(`kind=${kind}`)).objects.map((record) => record.kind))).toEqual(new Set([kind]))
})

test('a workspace is also found by a user that was deleted with it', async () => {
  const workspace = await watchdesk.createWorkspace()
  const { email } = await watchdesk.createUser({ workspace_id: workspace.id })
  await remove('workspaces', workspace.id)
  expect(idsIn(await bin(`search=${email}`))).toEqual([workspace.id])
  expect(idsIn(await bin(`search=${email}&kind=user`))).toEqual([])
})

test('a taken email is explained with who has it now', async () => {
  const user = await watchdesk.createUser({ workspace_id: home.id })
  await remove('users', user.id)
  const next = await watchdesk.createUser({ email: user.email.toUpperCase(), first_name: 'New', last_name: 'Owner' })
  expect((await recordOf('user', user.id))?.problem).toEqual({
    reason: 'email_taken',
    text: `New Owner now has the email ${user.email}.`,
    taken_by: { id: next.id, name: 'New Owner' },
  })
  const other = await watchdesk.createWorkspace()
  const along = await watchdesk.createUser({ workspace_id: other.id })
  await remove('workspaces', other.id)
  await watchdesk.createUser({ email: along.email })
  expect((await recordOf('workspace', other.id))?.problem).toMatchObject({
    reason: 'email_taken',
    text: 'Another user now has the email of one of its users.',
  })
})

test('workspace admins see the deleted users of their workspace only', async () => {
  const call = await workspaceAdmin(home.id)
  const [own, bySuper] = [
    await watchdesk.createUser({ workspace_id: home.id }),
    await watchdesk.createUser({ workspace_id: home.id }),
  ]
  const foreign = await watchdesk.createUser({ first_name: 'Foreign' })
  await remove('users', own.id, call)
  await remove('users', bySuper.id)
  await remove('users', foreign.id)
  await remove('workspaces', (await watchdesk.createWorkspace()).id)
  expect(idsIn(await bin('', call))).toEqual([bySuper.id, own.id])
  for (const query of ['search=foreign', 'kind=workspace', 'kind=dashboard'])
    expect(await bin(query, call)).toMatchObject({ objects: [], total: 0 })
  expect((await recordOf('user', own.id, call))?.problem).toBeNull()
  expect((await recordOf('user', bySuper.id, call))?.problem).toEqual({
    reason: 'super_admins_only',
    text: 'Only a super admin can restore this user.',
    taken_by: null,
  })
})

test('workspace admins do not learn who in another workspace has an email', async () => {
  const call = await workspaceAdmin(home.id)
  const user = await watchdesk.createUser({ workspace_id: home.id })
  await remove('users', user.id, call)
  const next = await watchdesk.createUser({ email: user.email, first_name: 'Secret' })
  const hidden = { reason: 'email_taken', text: `Another user now has the email ${user.email}.`, taken_by: null }
  expect((await recordOf('user', user.id, call))?.problem).toEqual(hidden)
  await watchdesk.admin('PATCH', `/api/v1/users/${next.id}`, { workspace_id: home.id })
  expect((await recordOf('user', user.id, call))?.problem).toMatchObject({ taken_by: { id: next.id } })
})
