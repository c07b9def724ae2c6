import { errorText } from '@watchdesk/contract/errors'
import type { Page } from '@watchdesk/contract/page'
import type { User } from '@watchdesk/contract/users'
import { beforeAll, describe, expect, test } from 'vitest'
import { sweepDuels } from '../../../test/helpers/duels.ts'
import { type Caller, PASSWORD, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

describe('users cannot remove their own access', () => {
  test('not by deleting themselves', async () => {
    const response = await watchdesk.admin('DELETE', '/api/v1/users/1')
    expect([response.status, errorText(response.body)]).toEqual([
      409,
      'You cannot delete your own account. Ask another admin to do it.',
    ])
  })

  test('not by demoting themselves, even if there is another super admin and they stay workspace admin', async () => {
    const { id, call: other } = await watchdesk.createPerson({ is_super_admin: true, is_admin: true })
    const response = await other('PATCH', `/api/v1/users/${id}`, { is_super_admin: false })
    expect([response.status, errorText(response.body)]).toEqual([
      409,
      'You cannot remove your own admin rights. Ask another admin to do it.',
    ])
    expect((await other('PATCH', `/api/v1/users/${id}`, { is_admin: false })).status).toBe(200)
    await watchdesk.admin('DELETE', `/api/v1/users/${id}`)
  })

  test('and neither can a workspace admin', async () => {
    const { id, call } = await watchdesk.createPerson()
    expect((await call('PATCH', `/api/v1/users/${id}`, { is_admin: false })).status).toBe(409)
    expect((await call('DELETE', `/api/v1/users/${id}`)).status).toBe(409)
    expect((await call('PATCH', `/api/v1/users/${id}`, { first_name: 'Me' })).status).toBe(200)
  })
})

// Two hundred times with `npm run test:all`.
sweepDuels(watchdesk, 20)

describe('a workspace admin', () => {
  let call: Caller
  let own: number
  let colleague: User
  let stranger: User
  beforeAll(async () => {
    await watchdesk.database.pool.query('update users set is_super_admin = true, deleted_at = null where id = 1')
    own = (await watchdesk.createWorkspace()).id
    const { email } = await watchdesk.createUser({ workspace_id: own, is_admin: true })
    colleague = await watchdesk.createUser({ workspace_id: own })
    stranger = await watchdesk.createUser({})
    call = await watchdesk.signIn(email)
  })

  test('restores users deleted by a workspace admin, but not those deleted by a super admin', async () => {
    const { id } = await watchdesk.createUser({ workspace_id: own })
    const restore = (by: Caller) => by('POST', `/api/v1/users/${id}/restore`)
    const remove = async (by: Caller) => expect((await by('DELETE', `/api/v1/users/${id}`)).status).toBe(204)
    await remove(watchdesk.admin)
    const refused = await restore(call)
    expect([refused.status, errorText(refused.body)]).toEqual([403, 'Only a super admin can restore this user.'])
    expect((await restore(watchdesk.admin)).status).toBe(200)
    await remove(call)
    expect((await restore(call)).status).toBe(200)
    await remove(call)
    await watchdesk.database.pool.query('update users set is_super_admin = true where id = 1')
    expect((await restore(watchdesk.admin)).status).toBe(200)
    await remove(watchdesk.admin)
    expect((await restore(call)).status).toBe(403)
    await restore(watchdesk.admin)
    await remove(call)
  })

  test('lists only the users of their workspace, whatever the query', async () => {
    for (const query of ['', '?workspace_ids=1', `?workspace_ids=1,${own}`, '?search=example.com', '?sort=-email']) {
      const { body } = await call<Page<User>>('GET', `/api/v1/users/${query}`)
      expect(body.objects.filter(({ workspace_id }) => workspace_id !== own)).toEqual([])
      expect(body.total).toBe(query === '?workspace_ids=1' ? 0 : 2)
    }
  })

  test('cannot access a user of another workspace in any way', async () => {
    const url = `/api/v1/users/${stranger.id}`
    const responses = [
      await call('GET', url),
      await call('PATCH', url, { first_name: 'Mine' }),
      await call('DELETE', url),
      await call('POST', `${url}/restore`),
    ]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    await watchdesk.admin('DELETE', url)
    expect((await call('POST', `${url}/restore`)).status).toBe(404)
    expect((await watchdesk.admin('POST', `${url}/restore`)).status).toBe(200)
  })

  test('creates, edits, deletes and restores users of their workspace', async () => {
    const body = { first_name: 'New', last_name: 'User', email: 'new@own.test', password: PASSWORD, workspace_id: own }
    const created = await call<User>('POST', '/api/v1/users/', { ...body, is_admin: true, type: 'MODERATOR' })
    expect(created.status).toBe(201)
    const url = `/api/v1/users/${created.body.id}`
    expect((await call('PATCH', url, { is_admin: false, workspace_id: own })).status).toBe(200)
    expect((await call('DELETE', url)).status).toBe(204)
    expect((await call('POST', `${url}/restore`)).status).toBe(200)
  })

  test('cannot create super admins or users of another workspace', async () => {
    const body = { first_name: 'New', last_name: 'User', email: 'more@own.test', password: PASSWORD, workspace_id: own }
    const url = `/api/v1/users/${colleague.id}`
    const responses = [
      await call('POST', '/api/v1/users/', { ...body, is_super_admin: true }),
      await call('POST', '/api/v1/users/', { ...body, workspace_id: 1 }),
      await call('PATCH', url, { is_super_admin: true }),
      await call('PATCH', url, { workspace_id: 1 }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect((await watchdesk.admin('GET', url)).body).toEqual(colleague)
  })

  test('cannot edit, delete or restore a super admin of their own workspace', async () => {
    const { id } = await watchdesk.createUser({ workspace_id: own, is_super_admin: true })
    const url = `/api/v1/users/${id}`
    expect((await call('PATCH', url, { password: 'mine from now on' })).status).toBe(403)
    expect((await call('DELETE', url)).status).toBe(403)
    await watchdesk.admin('DELETE', url)
    expect((await call('POST', `${url}/restore`)).status).toBe(403)
  })
})
