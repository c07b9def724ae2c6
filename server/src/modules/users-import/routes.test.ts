import { randomUUID } from 'node:crypto'
import type { AuditPage } from '@watchdesk/contract/activity'
import type { Operation, OperationRows, UndoPreview } from '@watchdesk/contract/operations/operations'
import type { Page } from '@watchdesk/contract/page'
import type { User } from '@watchdesk/contract/users'
import type { FoundUser, UsersImported } from '@watchdesk/contract/users-import'
import { describe, expect, test } from 'vitest'
import { during, waitForLocks } from '../../../test/helpers/locks.ts'
import { type Caller, caller, PASSWORD, startAnother, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const URL = '/api/v1/users/import'
let serial = 0

function newEmail() {
  serial += 1
  return `new${serial}@example.com`
}

function rowOf(row: number, cells: object = {}) {
  return { row, email: newEmail(), name: `Person Number${row}`, password: PASSWORD, ...cells }
}

type Row = ReturnType<typeof rowOf>

function send(rows: Row[], body: object = {}, call: Caller = watchdesk.admin, headers?: Record<string, string>) {
  return call<UsersImported>('POST', URL, { workspace_id: 1, rows_count: rows.length, rows, ...body }, headers)
}

async function usersOf(workspace_id: number) {
  const { body } = await watchdesk.admin<Page<User>>(
    'GET',
    `/api/v1/users/?workspace_ids=${workspace_id}&page_size=100`,
  )
  return body.objects
}

async function importOf(id: number) {
  return (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${id}`)).body
}

async function savedRows(id: number, query = '') {
  const { body } = await watchdesk.admin<OperationRows>('GET', `/api/v1/imports/${id}/rows${query}`)
  return { header: body.header, rows: body.rows.map(({ cells }) => cells) }
}

async function events(query: string, call = watchdesk.admin) {
  return (await call<AuditPage>('GET', `/api/v1/audit/?${query}`)).body.objects
}

describe('adding', () => {
  test('users of all calls are in the workspace, sign in with their passwords, and belong to one import', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const all = { workspace_id, rows_count: 3, name: 'team.csv', type: 'MODERATOR', language: 'UK', is_admin: true }
    const rows = [rowOf(2), rowOf(3, { is_admin: 'no', type: 'standard', language: 'auto' }), rowOf(4)]
    const first = await send(rows.slice(0, 2), all)
    expect(first.body).toMatchObject({ added_count: 2, rows: [{ outcome: 'added', reason: null }, { row: 3 }] })
    const { import_id } = first.body
    const second = await send(rows.slice(2), { ...all, import_id })
    expect(second.body).toMatchObject({ import_id, added_count: 3 })

    const users = await usersOf(workspace_id)
    expect(users.map(({ email }) => email)).toEqual(rows.map(({ email }) => email))
    expect(users[0]).toMatchObject({ type: 'MODERATOR', language: 'UK', is_admin: true, is_super_admin: false })
    expect(users[1]).toMatchObject({ type: 'STANDARD', language: '', is_admin: false, version: 1 })
    await watchdesk.signIn(rows[2]?.email ?? '')

    expect(await importOf(import_id)).toMatchObject({
      kind: 'users_import',
      name: 'team.csv',
      state: 'done',
      counts: { added: 3 },
      rows_count: 3,
      summary: 'Added 3 users',
    })
  })

  test('the whole run is one event, and that of each user is a part of it, as after an ordinary creation', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const { import_id } = (await send([rowOf(2)], { workspace_id, rows_count: 2 })).body
    await send([rowOf(3)], { workspace_id, rows_count: 2, import_id })
    const run = await events('entity=users&action=import')
    expect(run.filter(({ entity_id }) => entity_id === import_id)).toMatchObject([
      { parts: 2, workspace: { id: workspace_id }, changes: { rows_count: { after: 2 } } },
    ])
    const parts = await events(`parent_id=${run[0]?.id}`)
    expect(parts.map(({ action, entity, version }) => [action, entity, version])).toEqual([
      ['create', 'user', 1],
      ['create', 'user', 1],
    ])
    const single = await watchdesk.createUser({ workspace_id })
    const [ordinary] = await events(`entity=user&entity_id=${single.id}`)
    expect(Object.keys(parts[0]?.changes ?? {}).sort()).toEqual(Object.keys(ordinary?.changes ?? {}).sort())
    expect(parts[0]?.record?.detail).toMatch(/@example.com$/)
  })

  test('rows that cannot be added are kept with their reasons, without passwords', async () => {
    const { email: taken } = await watchdesk.createUser({})
    const repeated = newEmail()
    const rows = [
      rowOf(2, { email: `Ada Winter <${repeated}>`, name: undefined }),
      rowOf(3, { email: repeated.toUpperCase() }),
      rowOf(4, { email: taken.toUpperCase() }),
      rowOf(5, { email: 'nobody' }),
      rowOf(6, { name: 'Mononym' }),
      rowOf(7, { type: 'BOSS' }),
      rowOf(8, { password: 'password1' }),
      rowOf(9, { password: undefined }),
    ]
    const { body } = await send(rows)
    expect(body.rows.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['added', null],
      ['repeated in the file', 'Row 2 has the same email.'],
      ['email already exists', 'A user with this email already exists.'],
      ['invalid email', 'Email must be a valid email address.'],
      ['invalid name', 'Last name is required!'],
      ['invalid value', 'Type must be UNDERPRIVILEGED, STANDARD, MODERATOR or empty.'],
      ['invalid password', expect.stringContaining('password')],
      ['invalid password', 'Password is required!'],
    ])
    expect(body.added_count).toBe(1)
    const kept = await savedRows(body.import_id)
    expect(kept.header).toEqual(['row', 'email', 'first_name', 'last_name', 'reason', 'outcome'])
    expect(kept.rows[0]).toEqual(['2', repeated, 'Ada', 'Winter', '', 'added'])
    expect(kept.rows[3]).toEqual(['5', 'nobody', 'Person', 'Number5', body.rows[3]?.reason, 'invalid email'])
    expect(await importOf(body.import_id)).toMatchObject({ summary: 'Added 1 of 8 users', rows_count: 8 })
    const { rows: failed } = await savedRows(body.import_id, '?outcome=invalid+email')
    expect(failed).toHaveLength(1)
    const file = await watchdesk.admin('GET', `/api/v1/imports/${body.import_id}/file?format=csv&outcome=invalid+email`)
    expect(file.body).toContain('nobody')
    expect((await events('entity=users&action=download'))[0]).toMatchObject({ entity_id: body.import_id })
  })

  test('an email of an earlier call of the same run is repeated', async () => {
    const email = newEmail()
    const { import_id } = (await send([rowOf(2, { email })], { rows_count: 2 })).body
    const { body } = await send([rowOf(30, { email: email.toUpperCase() })], { rows_count: 2, import_id })
    expect(body.rows).toMatchObject([{ outcome: 'repeated in the file', reason: 'Row 2 has the same email.' }])
  })

  test('a run in which nobody is added has an import and no event', async () => {
    const { body } = await send([rowOf(2, { email: 'nobody' })])
    expect(await importOf(body.import_id)).toMatchObject({
      summary: 'Added 0 of 1 user',
      counts: { 'invalid email': 1 },
    })
    const run = await events('entity=users&action=import')
    expect(run.filter(({ entity_id }) => entity_id === body.import_id)).toEqual([])
  })

  test('the email of a deleted user is free', async () => {
    const { email, id } = await watchdesk.createUser({})
    await watchdesk.admin('DELETE', `/api/v1/users/${id}`)
    expect((await send([rowOf(2, { email })])).body.added_count).toBe(1)
  })
})

describe('repeating', () => {
  test('the same call with the same key adds nobody twice, also at the same time', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const rows = [rowOf(2), rowOf(3)]
    const headers = { 'idempotency-key': randomUUID() }
    const both = await Promise.all([1, 2].map(() => send(rows, { workspace_id }, watchdesk.admin, headers)))
    const again = await send(rows, { workspace_id }, watchdesk.admin, headers)
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(both[1]?.body).toEqual(both[0]?.body)
    expect(again.body).toEqual(both[0]?.body)
    expect(again.body.added_count).toBe(2)
    expect(await usersOf(workspace_id)).toHaveLength(2)
    const { rows: kept } = await savedRows(again.body.import_id)
    expect(kept).toHaveLength(2)
    const other = await send([rowOf(2)], { workspace_id }, watchdesk.admin, headers)
    expect([other.status, other.body]).toMatchObject([422, { detail: expect.stringContaining('Idempotency-Key') }])
  })

  test('no password, and nothing made from one, is in the database, except its own hash', async () => {
    const password = `secret ${randomUUID()}`
    await send([rowOf(2, { password })], {}, watchdesk.admin, { 'idempotency-key': randomUUID() })
    const { pool } = watchdesk.database
    for (const table of ['idempotency_keys', 'audit_events', 'operations', 'set_rows', 'row_sets']) {
      const { rows } = await pool.query(`select from ${table} where ${table}::text like $1`, [`%${password}%`])
      expect({ table, rows }).toEqual({ table, rows: [] })
    }
    // The digest of a request is the same with other passwords.
    const headers = { 'idempotency-key': randomUUID() }
    const row = rowOf(2)
    const first = await send([row], {}, watchdesk.admin, headers)
    const second = await send([{ ...row, password: 'another staple 8' }], {}, watchdesk.admin, headers)
    expect(second.body).toEqual(first.body)
  })

  test('calls of one run at the same time keep all rows', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const { import_id } = (await send([rowOf(2)], { workspace_id, rows_count: 4 })).body
    const { pool } = watchdesk.database
    // Both wait for the import, so that the second one has to see the rows of the first.
    const answers = await during(pool, `select from operations where id = ${import_id} for update`, async () => {
      const calls = [3, 4].map((row) => send([rowOf(row)], { workspace_id, rows_count: 4, import_id }))
      await waitForLocks(pool, 2)
      return calls
    })
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await usersOf(workspace_id)).toHaveLength(3)
    expect((await savedRows(import_id)).rows).toHaveLength(3)
    expect(await importOf(import_id)).toMatchObject({ counts: { added: 3 }, rows_count: 3 })
  })

  test('of two people who add the same emails at once, one adds each', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const emails = Array.from({ length: 12 }, newEmail)
    const rows = emails.map((email, index) => rowOf(index + 2, { email }))
    const results = await Promise.all([
      send(rows, { workspace_id }),
      send(rows.toReversed(), { workspace_id }),
      send(rows.slice(4), { workspace_id }),
    ])
    const outcomes = results.flatMap(({ body }) => body.rows)
    for (const email of emails) {
      const [added, ...others] = outcomes
        .filter((row) => row.email === email)
        .sort((a, b) => (a.outcome < b.outcome ? -1 : 1))
      expect(added?.outcome).toBe('added')
      for (const { outcome, user_id } of others) expect([outcome, user_id]).toEqual(['email already exists', null])
    }
    expect(await usersOf(workspace_id)).toHaveLength(12)
    expect(results.reduce((sum, { body }) => sum + body.added_count, 0)).toBe(12)
  })
})

describe('rights', () => {
  test('workspace admins add users to their own workspace only, and never super admins', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const { call: workspaceAdmin } = await watchdesk.createPerson({ workspace_id, is_admin: true })
    expect((await send([rowOf(2)], { workspace_id, is_admin: true }, workspaceAdmin)).body.added_count).toBe(1)
    const foreign = await send([rowOf(2)], { workspace_id: 1 }, workspaceAdmin)
    expect([foreign.status, foreign.body]).toEqual([403, { detail: 'You can only add users to your own workspace.' }])
    expect((await send([rowOf(2)], { workspace_id, is_super_admin: true }, workspaceAdmin)).status).toBe(422)
    expect((await send([rowOf(2)], { is_super_admin: true })).status).toBe(422)
    expect((await send([rowOf(2, { is_super_admin: true })])).status).toBe(422)
    expect((await events('entity=users&action=import', workspaceAdmin))[0]).toMatchObject({ parts: 1 })
  })

  test('nobody continues the import of somebody else, and no import of another kind', async () => {
    const { call: other } = await watchdesk.createPerson({ is_super_admin: true })
    const { import_id } = (await send([rowOf(2)])).body
    expect((await send([rowOf(3)], { import_id }, other)).status).toBe(404)
    expect((await send([rowOf(3)], { import_id: 2_000_000_000 })).status).toBe(404)
    const { pool } = watchdesk.database
    await pool.query(`update operations set kind = 'export' where id = $1`, [import_id])
    expect((await send([rowOf(3)], { import_id })).status).toBe(404)
  })

  test('an import that was undone, is full, or is of another workspace is not continued', async () => {
    const { id: elsewhere } = await watchdesk.createWorkspace()
    const { import_id } = (await send([rowOf(2)])).body
    const moved = await send([rowOf(3)], { import_id, workspace_id: elsewhere })
    expect(moved).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'workspace_id'] }] } })
    const { pool } = watchdesk.database
    const change = (text: string) => pool.query(text, [import_id])
    await change('update row_sets set row_count = 1000 where id = (select rows_id from operations where id = $1)')
    const full = await send([rowOf(3)], { import_id })
    expect(full).toMatchObject({ status: 422, body: { detail: [{ msg: 'Add at most 1,000 users at a time.' }] } })
    await change('update operations set is_undone = true where id = $1')
    expect((await send([rowOf(3)], { import_id })).status).toBe(409)
  })

  test('a run has no more rows than it began with', async () => {
    expect((await send([rowOf(2), rowOf(3)], { rows_count: 1 })).status).toBe(422)
    const { import_id } = (await send([rowOf(2)], { rows_count: 2 })).body
    expect((await send([rowOf(3), rowOf(4)], { rows_count: 2, import_id })).status).toBe(422)
    expect((await send([rowOf(3)], { rows_count: 2, import_id })).status).toBe(200)
  })

  test('nobody is added to a workspace that does not exist, and too many at once are refused', async () => {
    expect(await send([rowOf(2)], { workspace_id: 1_000_000 })).toMatchObject({
      status: 422,
      body: { detail: [{ msg: 'Workspace 1000000 does not exist.' }] },
    })
    const rows = Array.from({ length: 21 }, (_, index) => rowOf(index + 2))
    expect((await send(rows)).status).toBe(422)
    expect((await send([rowOf(2)], { rows_count: 1001 })).status).toBe(422)
    expect((await send([])).status).toBe(422)
  })

  test('passwords are hashed only for rows that can be added', async () => {
    const { email } = await watchdesk.createUser({})
    const { passwords } = watchdesk.deps
    let hashes = 0
    const hash: typeof passwords.hash = (...given) => {
      hashes += 1
      return passwords.hash(...given)
    }
    const { app } = await startAnother(watchdesk, { passwords: { ...passwords, hash } })
    const call = caller(app, watchdesk.admin.token)
    await send([rowOf(2, { email }), rowOf(3, { email: 'nobody' }), rowOf(4)], {}, call)
    await send([rowOf(2)], { workspace_id: 1_000_000 }, call)
    expect(hashes).toBe(1)
  })
})

describe('finding users by their emails', () => {
  const find = (emails: string[], call: Caller = watchdesk.admin) =>
    call<{ objects: FoundUser[] }>('POST', '/api/v1/users/find', { emails })

  test('in any letter case, with their workspaces', async () => {
    const { id: workspace_id, name } = await watchdesk.createWorkspace()
    const { id, email } = await watchdesk.createUser({ workspace_id, first_name: 'Ada', last_name: 'Winter' })
    const { body } = await find([email.toUpperCase(), email, 'nobody@example.com', 'no email'])
    expect(body.objects).toEqual([{ id, email, name: 'Ada Winter', workspace: { id: workspace_id, name } }])
    await watchdesk.admin('DELETE', `/api/v1/users/${id}`)
    expect((await find([email])).body.objects).toEqual([])
  })

  test('workspace admins find only users of their workspace', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const own = await watchdesk.createUser({ workspace_id, is_admin: true })
    const foreign = await watchdesk.createUser({})
    const workspaceAdmin = await watchdesk.signIn(own.email)
    const { body } = await find([own.email, foreign.email], workspaceAdmin)
    expect(body.objects.map(({ id }) => id)).toEqual([own.id])
  })
})

describe('undoing', () => {
  const undo = (id: number, changed: unknown = 'leave') =>
    watchdesk.admin<Operation>('POST', `/api/v1/imports/${id}/undo`, { changed })
  const look = async (id: number) => (await watchdesk.admin<UndoPreview>('GET', `/api/v1/imports/${id}/undo`)).body

  test('users that an import added are deleted, and restored by a redo', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const { import_id } = (await send([rowOf(2)], { workspace_id, rows_count: 2 })).body
    await send([rowOf(3)], { workspace_id, rows_count: 2, import_id })
    const users = await usersOf(workspace_id)
    expect(await importOf(import_id)).toMatchObject({ can_undo: true })
    expect(await look(import_id)).toMatchObject({ effects: { users_deleted: 2 }, changed_count: 0, problem: null })
    const undone = await undo(import_id)
    expect([undone.status, undone.body.counts]).toEqual([200, { 'users deleted': 2 }])
    expect(await usersOf(workspace_id)).toEqual([])
    expect((await send([rowOf(4)], { workspace_id, rows_count: 2, import_id })).status).toBe(409)
    const redone = await undo(undone.body.id)
    expect(redone.body).toMatchObject({ is_redo: true, origin_kind: 'users_import', counts: { 'users restored': 2 } })
    const ids = (await usersOf(workspace_id)).map(({ id }) => id)
    expect(ids).toEqual(users.map(({ id }) => id))
    const [event] = await events('entity=users&action=undo')
    expect(event).toMatchObject({ parts: 2 })
  })

  test('a user that was edited since is left alone, unless it is chosen, and nobody deletes themselves', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const rows = [rowOf(2), rowOf(3), rowOf(4)]
    const { body } = await send(rows, { workspace_id })
    const [edited = 0, self = 0] = body.rows.map(({ user_id }) => user_id ?? 0)
    await watchdesk.admin('PATCH', `/api/v1/users/${edited}`, { first_name: 'Renamed' })
    await watchdesk.admin('PATCH', `/api/v1/users/${self}`, { is_super_admin: true })
    const caller = await watchdesk.signIn(rows[1]?.email ?? '')
    expect(await look(body.import_id)).toMatchObject({
      effects: { users_deleted: 1 },
      changed: [
        { id: edited, what: 'edited', effect: 'users_deleted' },
        { id: self, what: 'edited' },
      ],
    })
    const undone = await caller<Operation>('POST', `/api/v1/imports/${body.import_id}/undo`, {
      changed: [edited, self],
    })
    expect(undone.body.counts).toEqual({ 'users deleted': 2, 'left alone': 1 })
    expect((await usersOf(workspace_id)).map(({ id }) => id)).toEqual([self])
  })

  test('a user that is deleted already stays deleted', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const { body } = await send([rowOf(2), rowOf(3)], { workspace_id })
    const [id = 0] = body.rows.map(({ user_id }) => user_id ?? 0)
    await watchdesk.admin('DELETE', `/api/v1/users/${id}`)
    expect(await look(body.import_id)).toMatchObject({
      effects: { users_deleted: 1 },
      changed: [{ id, what: 'removed', effect: 'nothing', problem: 'It is deleted already.' }],
    })
    expect((await undo(body.import_id)).body.counts).toEqual({ 'users deleted': 1, 'left alone': 1 })
  })

  test('an import that added nobody cannot be undone', async () => {
    const { import_id } = (await send([rowOf(2, { email: 'nobody' })])).body
    expect(await importOf(import_id)).toMatchObject({ can_undo: false })
    expect((await look(import_id)).problem).toBe('The import changed nothing, so there is nothing to undo.')
  })
})
