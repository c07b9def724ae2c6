import type { BinRecord } from '@watchdesk/contract/bin'
import { errorText } from '@watchdesk/contract/errors'
import type { BulkChanged, BulkPreview } from '@watchdesk/contract/operations/changes'
import type { Page } from '@watchdesk/contract/page'
import type { User } from '@watchdesk/contract/users'
import { beforeAll, describe, expect, test } from 'vitest'
import { isWrite, type Operation, readOperations } from '../../../test/helpers/operations.ts'
import { FIRST_ADMIN, insertUser, openSession } from '../../../test/helpers/people.ts'
import { addressOf, validCall } from '../../../test/helpers/requests.ts'
import { type ApiResponse, type Caller, PASSWORD, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { resetPassword } from './reset-password.ts'

const watchdesk = useWatchdesk()
const BOTH = 'An auditor cannot be an admin too. Turn off one of the two first.'

function outcome({ status, body }: ApiResponse<unknown>) {
  return [status, errorText(body)]
}

describe('becoming an auditor', () => {
  test('takes effect at once, with the session that is open, and is in the history of the user', async () => {
    const { id, call } = await watchdesk.createPerson({ is_super_admin: true })
    const auditor = { is_super_admin: false, is_auditor: true }
    expect((await watchdesk.admin('PATCH', `/api/v1/users/${id}`, auditor)).body).toMatchObject(auditor)
    expect((await call('GET', '/api/v1/users/me')).body).toMatchObject({ is_auditor: true, is_super_admin: false })
    expect((await call('GET', '/api/v1/config/website_config')).status).toBe(200)
    expect(outcome(await call('PATCH', `/api/v1/users/${id}`, { first_name: 'New' }))).toEqual([
      403,
      'Auditors can see everything, but change nothing.',
    ])
    const { body } = await watchdesk.admin<Page<object>>('GET', `/api/v1/audit/?entity=user&entity_id=${id}`)
    expect(body.objects[0]).toMatchObject({
      changes: { is_auditor: { before: false, after: true }, is_super_admin: { before: true, after: false } },
    })
  })

  test('excludes being an admin, in a new user and in an edit, whichever comes first', async () => {
    const fields = { first_name: 'A', last_name: 'B', email: 'both@example.com', password: PASSWORD, workspace_id: 1 }
    for (const role of ['is_admin', 'is_super_admin']) {
      const both = { is_auditor: true, [role]: true }
      expect(outcome(await watchdesk.admin('POST', '/api/v1/users/', { ...fields, ...both }))).toEqual([422, BOTH])
      const admin = await watchdesk.createUser({ [role]: true })
      const auditor = await watchdesk.createUser({ is_auditor: true })
      for (const [id, body] of [
        [admin.id, { is_auditor: true }],
        [auditor.id, { [role]: true }],
      ])
        expect(outcome(await watchdesk.admin('PATCH', `/api/v1/users/${id}`, body))).toEqual([422, BOTH])
    }
  })

  test('is refused for one of two edits that would make someone both at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await watchdesk.createUser({})
      const edits = [{ is_auditor: true }, { is_admin: true }].map((body) =>
        watchdesk.admin('PATCH', `/api/v1/users/${id}`, body),
      )
      expect((await Promise.all(edits)).map(({ status }) => status).sort()).toEqual([200, 422])
    }
  })
})

test('an auditor who loses the role is signed out', async () => {
  const { id, email, call } = await watchdesk.createPerson({ is_auditor: true })
  expect((await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { is_auditor: false })).status).toBe(200)
  expect((await call('GET', '/api/v1/users/me')).status).toBe(401)
  await expect(watchdesk.signIn(email)).rejects.toThrow('cannot sign in')
})

test('an auditor is found by the role, and is an auditor in the file', async () => {
  const { email } = await watchdesk.createUser({ is_auditor: true })
  const query = `role=auditor&search=${email}`
  expect((await watchdesk.admin<Page<User>>('GET', `/api/v1/users/?${query}`)).body.objects).toMatchObject([{ email }])
  const none = await watchdesk.admin<Page<User>>('GET', `/api/v1/users/?role=none&search=${email}`)
  expect(none.body.total).toBe(0)
  const { body } = await watchdesk.admin<string>('GET', `/api/v1/users/file?format=csv&columns=email,roles&${query}`)
  expect(body).toContain(`${email},Auditor`)
})

test('an auditor whose password was reset with the command can sign in', async () => {
  const { email } = await watchdesk.createUser({ is_auditor: true })
  const { deps } = watchdesk
  const { password, is_auditor } = await resetPassword(deps.db, deps.passwords, { email, mayCreate: false })
  expect(is_auditor).toBe(true)
  await watchdesk.signIn(email, password)
})

test('a workspace whose only member with access is an auditor is without an admin', async () => {
  const { id: workspace_id } = await watchdesk.createWorkspace({ name: 'Only audited' })
  await insertUser(watchdesk, { workspace_id, is_auditor: true })
  const url = '/api/v1/workspaces/?search=Only+audited&admin=none'
  expect((await watchdesk.admin<Page<object>>('GET', url)).body.objects).toMatchObject([{ id: workspace_id }])
  expect((await watchdesk.admin('GET', `/api/v1/workspaces/${workspace_id}/impact`)).body).toMatchObject({ admins: 0 })
})

describe('a workspace admin cannot', () => {
  let call: Caller
  let home: number
  let auditor: Awaited<ReturnType<typeof insertUser>>
  beforeAll(async () => {
    home = (await watchdesk.createWorkspace()).id
    const { id } = await insertUser(watchdesk, { workspace_id: home, is_admin: true })
    auditor = await insertUser(watchdesk, { workspace_id: home, is_auditor: true })
    call = await openSession(watchdesk, id)
  })

  test('make someone an auditor', async () => {
    const { id } = await insertUser(watchdesk, { workspace_id: home })
    expect((await call('PATCH', `/api/v1/users/${id}`, { is_auditor: true })).status).toBe(403)
  })

  test('change, unlock or delete an auditor of the workspace', async () => {
    const url = `/api/v1/users/${auditor.id}`
    expect(outcome(await call('PATCH', url, { password: PASSWORD }))).toEqual([
      403,
      'Only super admins can change an auditor.',
    ])
    expect(outcome(await call('POST', `${url}/unlock`))).toEqual([403, 'Only super admins can unlock an auditor.'])
    expect(outcome(await call('DELETE', url))).toEqual([403, 'Only super admins can delete an auditor.'])
  })

  test('restore one from the bin, which says so', async () => {
    const { id, email } = await insertUser(watchdesk, { workspace_id: home, is_auditor: true })
    await watchdesk.database.pool.query('update users set deleted_at = now() where id = $1', [id])
    const { body } = await call<Page<BinRecord>>('GET', `/api/v1/bin/?search=${email}`)
    expect(body.objects[0]?.problem).toMatchObject({ reason: 'super_admins_only' })
    expect((await call('POST', `/api/v1/users/${id}/restore`)).status).toBe(403)
    const restored = await watchdesk.admin('POST', `/api/v1/users/${id}/restore`)
    expect(restored.body).toMatchObject({ id, is_auditor: true })
  })

  test('put an auditor back to how they were', async () => {
    const { id } = await insertUser(watchdesk, { workspace_id: home })
    await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { is_auditor: true })
    const { body } = await call<Page<{ id: number }>>('GET', `/api/v1/audit/?entity=user&entity_id=${id}`)
    const event = `/api/v1/audit/${body.objects[0]?.id}`
    const problem = 'Only super admins can change an auditor.'
    expect((await call('GET', `${event}/record?side=before`)).body).toMatchObject({
      fields: [{ field: 'is_auditor', problem }],
    })
    const back = { side: 'before', fields: ['is_auditor'] }
    expect(outcome(await call('POST', `${event}/put_back`, back))).toEqual([422, problem])
    expect((await watchdesk.admin('POST', `${event}/put_back`, back)).status).toBe(200)
    expect((await watchdesk.admin('GET', `/api/v1/users/${id}`)).body).toMatchObject({ is_auditor: false })
  })
})

test('a change of many users makes no admin of an auditor, and says why', async () => {
  const auditor = await watchdesk.createUser({ is_auditor: true })
  const other = await watchdesk.createUser({})
  const body = { action: 'update', set: { is_admin: true }, ids: [auditor.id, other.id] }
  const preview = await watchdesk.admin<BulkPreview>('POST', '/api/v1/users/change/preview', body)
  expect(preview.body).toMatchObject({
    changed_count: 1,
    refused: [{ reason: BOTH, count: 1 }],
  })
  const expected = { expected_count: 2, expected_changed_count: 1 }
  await watchdesk.admin<BulkChanged>('POST', '/api/v1/users/change', { ...body, ...expected })
  const roles = [auditor.id, other.id].map(async (id) => (await watchdesk.admin('GET', `/api/v1/users/${id}`)).body)
  expect(await Promise.all(roles)).toMatchObject([{ is_auditor: true, is_admin: false }, { is_admin: true }])
})

test('the undo of a change of many users makes no admin of someone who became an auditor', async () => {
  const { id } = await watchdesk.createUser({ is_admin: true })
  const body = { action: 'update', set: { is_admin: false }, ids: [id], expected_count: 1, expected_changed_count: 1 }
  const { body: changed } = await watchdesk.admin<BulkChanged>('POST', '/api/v1/users/change', body)
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { is_auditor: true })
  await watchdesk.admin('POST', `/api/v1/imports/${changed.import_id}/undo`, {})
  expect((await watchdesk.admin('GET', `/api/v1/users/${id}`)).body).toMatchObject({
    is_auditor: true,
    is_admin: false,
  })
})

describe('every call that only reads works for an auditor as for a super admin', async () => {
  const reads = (await readOperations()).filter(
    (operation) => operation.access !== 'public' && operation.access !== 'signing_in' && !isWrite(operation),
  )

  test.each(reads)('$name', async (operation: Operation) => {
    const { id } = await insertUser(watchdesk, { workspace_id: 1, is_auditor: true })
    const address = await addressOf(watchdesk, operation, 'foreign', 1)
    const statuses = []
    for (const user of [id, FIRST_ADMIN.id]) {
      const call = await openSession(watchdesk, user)
      statuses.push((await call(operation.method, address, ...validCall(operation))).status)
    }
    expect(statuses).toEqual([operation.status, operation.status])
  })
})
