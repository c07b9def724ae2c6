import type { Invitation } from '@watchdesk/contract/users'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { afterWaiting } from '../../../test/helpers/locks.ts'
import { openHalfSignIn, openSession, openToken } from '../../../test/helpers/people.ts'
import { PASSWORD, startAnother, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const ME = '/api/v1/users/me'

const edit = (id: number, body: object) => watchdesk.admin('PATCH', `/api/v1/users/${id}`, body)
const change = (id: number, set: object) =>
  watchdesk.admin('POST', '/api/v1/users/change', {
    action: 'update',
    set,
    ids: [id],
    expected_count: 1,
    expected_changed_count: 1,
  })

async function signedIn(rights: object) {
  const { id } = await watchdesk.createUser(rights)
  const [session, token] = [await openSession(watchdesk, id), await openToken(watchdesk, id)]
  await openHalfSignIn(watchdesk, id, 'second_factor')
  const states = async () => [(await session('GET', ME)).status, (await token('GET', ME)).status]
  expect(await states()).toEqual([200, 200])
  return { id, states }
}

test.each([
  ['becomes a super admin', { is_admin: true }, (id: number) => edit(id, { is_super_admin: true })],
  ['becomes a super admin among many', { is_admin: true }, (id: number) => change(id, { is_super_admin: true })],
  ['becomes an auditor', { is_admin: true }, (id: number) => edit(id, { is_admin: false, is_auditor: true })],
  [
    'becomes a super admin after an auditor',
    { is_auditor: true },
    (id: number) => edit(id, { is_auditor: false, is_super_admin: true }),
  ],
])('someone who %s is signed out everywhere, and tokens end', async (_what, rights, promote) => {
  const { id, states } = await signedIn(rights)
  expect((await promote(id)).status).toBe(200)
  expect(await states()).toEqual([401, 401])
  const { rows } = await sql`select from pending_sign_ins where user_id = ${id}`.execute(watchdesk.database.db)
  expect(rows).toEqual([])
})

test.each([
  ['loses a part of their rights', { is_super_admin: true }, { is_super_admin: false, is_admin: true }],
  [
    'becomes an auditor instead of a super admin',
    { is_super_admin: true },
    { is_super_admin: false, is_auditor: true },
  ],
  ['gets another name', { is_admin: true }, { first_name: 'Ada' }],
])('someone who %s stays signed in', async (_what, rights, body) => {
  const { id, states } = await signedIn(rights)
  expect((await edit(id, body)).status).toBe(200)
  expect(await states()).toEqual([200, 200])
})

test('someone who becomes a super admin again by an undo is told that the tokens ended', async () => {
  const { id } = await watchdesk.createUser({ is_super_admin: true, is_admin: true })
  const { body } = await change(id, { is_super_admin: false })
  await openToken(watchdesk, id)
  const undo = `/api/v1/imports/${Object(body).import_id}/undo`
  expect((await watchdesk.admin('POST', undo, { changed: 'leave' })).status).toBe(200)
  const { rows } = await sql`select kind from account_notices where user_id = ${id}`.execute(watchdesk.database.db)
  expect(rows).toEqual([{ kind: 'tokens_ended' }])
})

test('a link to choose a password stays valid if a super admin has created it, and not if an admin of the workspace has', async () => {
  const workspace = await watchdesk.createWorkspace()
  const admin = await watchdesk.createUser({ is_admin: true, workspace_id: workspace.id })
  const statuses: number[] = []
  for (const call of [watchdesk.admin, await openSession(watchdesk, admin.id)]) {
    const { id } = await watchdesk.createUser({ is_admin: true, workspace_id: workspace.id })
    const { body } = await call<Invitation>('POST', `/api/v1/users/${id}/invite`)
    const token = new URL(body.link ?? '').hash.slice(1)
    expect((await edit(id, { is_super_admin: true })).status).toBe(200)
    statuses.push((await watchdesk.anonymous('POST', '/api/v1/login/link', { token })).status)
  }
  expect(statuses).toEqual([200, 404])
})

test('a sign-in that waits for such a change needs the second factor of the new role', async () => {
  const { id, email } = await watchdesk.createUser({ is_admin: true })
  const { anonymous } = await startAnother(watchdesk, { env: { REQUIRE_SECOND_FACTOR: 'super_admins' } })
  const promote = `update users set is_super_admin = true where id = ${id}`
  const signIn = () => anonymous('POST', '/api/v1/login', { email, password: PASSWORD })
  expect(await afterWaiting(watchdesk.database.pool, promote, signIn)).toMatchObject([{ body: { next: 'set_up' } }])
})
