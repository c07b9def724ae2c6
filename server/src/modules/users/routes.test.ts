import { errorText } from '@watchdesk/contract/errors'
import type { Page } from '@watchdesk/contract/page'
import type { User } from '@watchdesk/contract/users'
import { describe, expect, test } from 'vitest'
import { PASSWORD, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const MARCUS = { first_name: 'Marcus', last_name: 'Reed', password: PASSWORD, workspace_id: 1 }
let serial = 0

function post(body: object) {
  serial += 1
  return watchdesk.admin<User>('POST', '/api/v1/users/', { ...MARCUS, email: `marcus${serial}@example.com`, ...body })
}

function patch(id: number, body: object) {
  return watchdesk.admin<User>('PATCH', `/api/v1/users/${id}`, body)
}

describe('creating', () => {
  test('a created user is listed with its workspace and never with its password', async () => {
    const workspace = await watchdesk.createWorkspace({ name: 'Northwind Media' })
    const created = await post({ email: 'marcus.reed@northwind.example', workspace_id: workspace.id })
    expect(created.status).toBe(201)
    expect(created.headers.etag).toBe('"1"')
    expect(created.body).toEqual({
      id: expect.any(Number),
      first_name: 'Marcus',
      last_name: 'Reed',
      email: 'marcus.reed@northwind.example',
      workspace_id: workspace.id,
      workspace: { name: 'Northwind Media' },
      is_admin: false,
      is_super_admin: false,
      is_auditor: false,
      type: 'STANDARD',
      language: '',
      version: 1,
    })
    const list = await watchdesk.admin('GET', `/api/v1/users/?workspace_ids=${workspace.id}`)
    expect(list.body).toEqual({ objects: [created.body], total: 1, size: 20 })
    const one = await watchdesk.admin('GET', `/api/v1/users/${created.body.id}`)
    expect([one.status, one.body, one.headers.etag]).toEqual([200, created.body, '"1"'])
  })

  test('every field is saved as sent', async () => {
    const fields = {
      first_name: 'Олена',
      last_name: "O'Brien-Шевченко",
      email: 'Olena.Shevchenko@Example.com',
      is_admin: true,
      is_super_admin: true,
      type: 'MODERATOR',
      language: 'UK',
    } as const
    expect((await post(fields)).body).toMatchObject(fields)
  })

  test('the new user can sign in with the password', async () => {
    const { email } = (await post({ is_admin: true })).body
    const me = await (await watchdesk.signIn(email))('GET', '/api/v1/users/me')
    expect(me.body).toMatchObject({ email })
  })
})

describe('what is refused', () => {
  const REQUIRED = [
    'First name is required!',
    'Last name is required!',
    'Email is required!',
    'Workspace is required!',
    'Password is required!',
  ]

  test('a body without fields is rejected with all required fields', async () => {
    const response = await watchdesk.admin('POST', '/api/v1/users/', {})
    expect(response.status).toBe(422)
    expect(errorText(response.body)).toBe(REQUIRED.join('\n'))
  })

  test.each([
    [{ first_name: '' }, 'First name is required!'],
    [{ first_name: ' \t ' }, 'First name is required!'],
    [{ last_name: '' }, 'Last name is required!'],
    [{ last_name: '  ' }, 'Last name is required!'],
    [{ email: '' }, 'Email is required!'],
    [{ email: 'marcus' }, 'Email must be a valid email address.'],
    [{ workspace_id: null }, 'Workspace is required!'],
    [{ workspace_id: 999_999 }, 'Workspace 999999 does not exist.'],
    [{ password: '' }, 'Password is required!'],
    [{ password: 'seven77' }, 'The password needs at least 8 characters.'],
    [{ password: 'password1' }, 'This password is too common. Choose one that is harder to guess, or generate one.'],
    [{ password: 'iloveyou' }, 'This password is too common. Choose one that is harder to guess, or generate one.'],
    [{ type: 'ADMIN' }, /^type: Invalid/],
    [{ language: 'DE' }, /^language: Invalid/],
    [{ is_admin: 'true' }, /^is_admin: Invalid/],
    [{ id: 7 }, 'id is not a known field.'],
    [{ first_name: 'a\0b' }, 'first_name: Must not contain the NUL character.'],
  ])('%j, when creating and when editing', async (field, message) => {
    const created = await post(field)
    expect(created.status).toBe(422)
    expect(errorText(created.body)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
    expect(created.body).toMatchObject({ detail: [{ loc: ['body', Object.keys(field)[0]] }] })
    const user = await watchdesk.createUser({})
    const edited = await patch(user.id, field)
    expect([edited.status, edited.body]).toEqual([422, created.body])
    expect((await watchdesk.admin('GET', `/api/v1/users/${user.id}`)).body).toEqual(user)
  })

  test.each([
    ['a name of 201 letters', { last_name: 'x'.repeat(201) }, 'last_name: At most 200 characters.'],
    ['a password of 1,026 bytes', { password: 'ж'.repeat(513) }, 'password: At most 1,024 bytes.'],
    ['a password of 1 MB', { password: 'x'.repeat(1_000_000) }, 'password: At most 1,024 characters.'],
  ])('%s', async (_what, field, message) => {
    const response = await post(field)
    expect(response.status).toBe(422)
    expect(errorText(response.body)).toContain(message)
  })

  test('an email of an existing user, ignoring case: 409 on create, edit and restore', async () => {
    const taken = { detail: 'A user with this email already exists.' }
    const user = await watchdesk.createUser({ email: 'Taken@Example.com' })
    const created = await post({ email: 'tAKEN@example.COM' })
    expect([created.status, created.body]).toEqual([409, taken])
    const other = await watchdesk.createUser({})
    const edited = await patch(other.id, { email: 'taken@example.com' })
    expect([edited.status, edited.body]).toEqual([409, taken])

    await watchdesk.admin('DELETE', `/api/v1/users/${user.id}`)
    expect((await post({ email: 'TAKEN@example.com' })).status).toBe(201)
    const restored = await watchdesk.admin('POST', `/api/v1/users/${user.id}/restore`)
    expect([restored.status, errorText(restored.body)]).toEqual([
      409,
      expect.stringContaining('now has the email Taken@Example.com.'),
    ])
    expect((await watchdesk.admin('GET', `/api/v1/users/${user.id}`)).status).toBe(404)
  })

  test('of 20 concurrent requests with the same email, one succeeds', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => post({ email: 'race@example.com' })))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  test.each([
    ['GET', '', undefined],
    ['PATCH', '', {}],
    ['DELETE', '', undefined],
    ['POST', '/restore', undefined],
  ] as const)('%s of a user that does not exist%s: 404', async (method, suffix, body) => {
    const response = await watchdesk.admin(method, `/api/v1/users/2147483647${suffix}`, body)
    expect(response.status).toBe(404)
    expect(errorText(response.body)).toMatch(/user not found\.$/i)
  })

  test('restoring a user that is not deleted: 404', async () => {
    const { id } = await watchdesk.createUser({})
    expect((await watchdesk.admin('POST', `/api/v1/users/${id}/restore`)).status).toBe(404)
  })
})

describe('editing', () => {
  test.each([
    { first_name: 'Anna' },
    { last_name: 'Kovalenko' },
    { email: 'anna.kovalenko@example.com' },
    { is_admin: true },
    { is_super_admin: true },
    { type: 'UNDERPRIVILEGED' },
    { language: 'EN' },
  ])('%j changes that and nothing else', async (change) => {
    const user = await watchdesk.createUser({ type: 'MODERATOR', language: 'UK' })
    const edited = await patch(user.id, change)
    expect(edited.status).toBe(200)
    expect(edited.body).toEqual({ ...user, ...change, version: 2 })
    expect(edited.headers.etag).toBe('"2"')
    expect((await watchdesk.admin('GET', `/api/v1/users/${user.id}`)).body).toEqual(edited.body)
  })

  test('moving a user to another workspace shows that workspace', async () => {
    const user = await watchdesk.createUser({})
    const { id, name } = await watchdesk.createWorkspace()
    expect((await patch(user.id, { workspace_id: id })).body).toMatchObject({ workspace_id: id, workspace: { name } })
  })

  test.each(['', null])('language %j is automatic again', async (language) => {
    const user = await watchdesk.createUser({ language: 'EN' })
    expect((await patch(user.id, { language })).body.language).toBe('')
  })

  test('an empty body, or one with the current values, changes nothing, not even the version', async () => {
    const user = await watchdesk.createUser({ language: 'EN' })
    expect((await patch(user.id, {})).body).toEqual(user)
    const { id: _, workspace: __, version: ___, ...same } = user
    expect((await patch(user.id, same)).body).toEqual(user)
  })

  test('the case of an email can be changed', async () => {
    const user = await watchdesk.createUser({ email: 'case@example.com' })
    expect((await patch(user.id, { email: 'Case@Example.com' })).body.email).toBe('Case@Example.com')
  })

  test('a new password replaces the old one', async () => {
    const user = await watchdesk.createUser({ is_admin: true })
    expect((await patch(user.id, { password: 'another staple 8' })).body.version).toBe(2)
    await expect(watchdesk.signIn(user.email, PASSWORD)).rejects.toThrow('Wrong email or password.')
    await watchdesk.signIn(user.email, 'another staple 8')
  })
})

describe('deleting', () => {
  test('removes the user from the list and by id, and a restore brings the same user back', async () => {
    const workspace = await watchdesk.createWorkspace()
    const user = await watchdesk.createUser({ workspace_id: workspace.id, is_admin: true, type: 'MODERATOR' })
    const list = () => watchdesk.admin<Page<User>>('GET', `/api/v1/users/?workspace_ids=${workspace.id}`)

    const removed = await watchdesk.admin('DELETE', `/api/v1/users/${user.id}`)
    expect([removed.status, removed.body]).toEqual([204, ''])
    expect((await list()).body).toEqual({ objects: [], total: 0, size: 20 })
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await watchdesk.admin(method, `/api/v1/users/${user.id}`)).status).toBe(404)
    }
    expect((await patch(user.id, { first_name: 'Ghost' })).status).toBe(404)

    const restored = await watchdesk.admin<User>('POST', `/api/v1/users/${user.id}/restore`)
    expect([restored.status, restored.body]).toEqual([200, { ...user, version: 3 }])
    expect((await list()).body.objects).toEqual([restored.body])
    await watchdesk.signIn(user.email)
  })

  test('a user of a deleted workspace is restored only with the workspace', async () => {
    const workspace = await watchdesk.createWorkspace()
    const user = await watchdesk.createUser({ workspace_id: workspace.id })
    await watchdesk.admin('DELETE', `/api/v1/workspaces/${workspace.id}`)
    const restored = await watchdesk.admin('POST', `/api/v1/users/${user.id}/restore`)
    expect(restored.status).toBe(409)
    expect(errorText(restored.body)).toBe('Their workspace is deleted. Restore the workspace first.')
  })
})
