import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditPage } from '@watchdesk/contract/activity'
import { columnsOf } from '@watchdesk/contract/list'
import type { BulkChanged } from '@watchdesk/contract/operations/changes'
import { userList } from '@watchdesk/contract/users'
import { workspaceList } from '@watchdesk/contract/workspaces'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { rowsOf } from '../adapters/tables/rows.ts'

const watchdesk = useWatchdesk()

let north: number
let south: number
let admin: Caller

beforeAll(async () => {
  north = (await watchdesk.createWorkspace({ name: 'North', status: 'TRIAL', trial_end_date: '2027-01-31T00:00:00' }))
    .id
  south = (await watchdesk.createWorkspace({ name: '=South', description: 'Two, lines' })).id
  const person = (first_name: string, workspace_id: number, more = {}) =>
    watchdesk.createUser({ first_name, last_name: 'Reed', email: `${first_name}@file.example`, workspace_id, ...more })
  await person('bo', north, { is_admin: true, language: 'UK' })
  await person('Cy', south)
  await person('al', north, { type: 'MODERATOR' })
  admin = await watchdesk.signIn('bo@file.example')
  const { pool } = watchdesk.database
  await pool.query(`update sign_ins set at = '2026-10-01T10:20:30Z' where user_id = (
    select id from users where email = 'bo@file.example')`)
  await pool.query('update workspaces set config = config || $2 where id = $1', [
    north,
    JSON.stringify({ roles: ['AI', 'search'] }),
  ])
})

async function csv(path: string, call: Caller = watchdesk.admin) {
  const { status, body, headers } = await call<string>('GET', `/api/v1/${path}`)
  expect({ path, status }).toEqual({ path, status: 200 })
  return { lines: body.replace('\ufeff', '').trimEnd().split('\r\n'), headers }
}

describe('users', () => {
  const file = 'users/file?format=csv&search=file.example'

  test('a file has the columns of the list, and is named after the day', async () => {
    const { lines, headers } = await csv(`${file}&sort=full_name`)
    expect(headers['content-disposition']).toMatch(/^attachment; filename="users-\d{4}-\d\d-\d\d\.csv";/)
    expect(lines[0]).toBe('ID,Workspace,Full Name,Email,Roles,Type,Language')
    expect(lines.slice(1).map((line) => line.replace(/^\d+/, '#'))).toEqual([
      '#,North,al Reed,al@file.example,,MODERATOR,Auto',
      '#,North,bo Reed,bo@file.example,Workspace admin,STANDARD,Ukrainian',
      `#,'=South,Cy Reed,Cy@file.example,,STANDARD,Auto`,
    ])
  })

  test('it has the chosen columns in their order, the rows that match, and the order of the list', async () => {
    const { lines } = await csv(`${file}&columns=last_sign_in_at,email&sort=-full_name`)
    expect(lines).toEqual([
      'Last sign-in,Email',
      ',Cy@file.example',
      '2026-10-01 10:20:30,bo@file.example',
      ',al@file.example',
    ])
    expect((await csv(`${file}&columns=email&role=admin`)).lines).toEqual(['Email', 'bo@file.example'])
  })

  test('a workspace admin gets the users of their own workspace only, whatever the filter', async () => {
    for (const query of ['', `&workspace_ids=${north},${south}`, '&sort=-email']) {
      const { lines } = await csv(`users/file?format=csv&columns=email${query}`, admin)
      expect(lines.slice(1).sort()).toEqual(['al@file.example', 'bo@file.example'])
    }
    expect((await csv(`users/file?format=csv&columns=email&workspace_ids=${south}`, admin)).lines).toEqual(['Email'])
  })

  test('no column contains anything secret', async () => {
    const { lines } = await csv(`users/file?format=csv&columns=${columnsOf(userList)}`)
    expect(lines.join()).not.toMatch(/scrypt|argon|\$/)
    for (const column of ['password_hash', 'password', 'search_text', 'id,id'])
      expect((await watchdesk.admin('GET', `/api/v1/users/file?format=csv&columns=${column}`)).status).toBe(422)
  })

  test('an XLSX file has the same rows', async () => {
    const { rawPayload } = await watchdesk.app.inject({
      url: '/api/v1/users/file?format=xlsx&search=file.example&columns=full_name,workspace&sort=full_name',
      headers: { authorization: `Bearer ${watchdesk.admin.token}` },
    })
    const dir = await mkdtemp(join(tmpdir(), 'watchdesk-users-'))
    const path = join(dir, 'users.xlsx')
    await writeFile(path, rawPayload)
    const rows: string[][] = []
    for await (const batch of rowsOf(path, 'xlsx')) rows.push(...batch.map(({ cells }) => cells))
    await rm(dir, { recursive: true })
    expect(rows).toEqual([
      ['Full Name', 'Workspace'],
      ['al Reed', 'North'],
      ['bo Reed', 'North'],
      ['Cy Reed', "'=South"],
    ])
  })

  test('more rows than are read at once keep their order', async () => {
    const { pool } = watchdesk.database
    await pool.query(
      `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
      select $1, 'Many', lpad((n * 7919 % 5000)::text, 5, '0'), 'many' || n || '@example.com', '-', false, false, 'STANDARD', ''
      from generate_series(1, 5000) n`,
      [south],
    )
    const { lines } = await csv('users/file?format=csv&columns=full_name&search=many&sort=-full_name')
    expect(lines).toHaveLength(5001)
    expect(lines.slice(1)).toEqual([...lines.slice(1)].sort().reverse())
  })
})

describe('workspaces', () => {
  test('a quota is what is left and the limit; a trial end that of a trial', async () => {
    const all = columnsOf(workspaceList).filter((name) => name !== 'last_activity_at')
    const { lines } = await csv(`workspaces/file?format=csv&search=north&columns=${all}`)
    expect(lines).toEqual([
      'ID,Name,Description,Status,Roles,Trial end,Analytical quota left,Analytical quota limit,AI quota left,AI quota limit,Users',
      expect.stringMatching(/^\d+,North,[^,]*,TRIAL,"AI, search",2027-01-31,\d+,\d+,\d+,\d+,2$/),
    ])
    const others = await csv('workspaces/file?format=csv&search=south&columns=name,description,trial_end_date,status')
    expect(others.lines[1]).toBe(`'=South,"Two, lines",,`)
  })

  test('the last activity is a time, and a filter finds what the list finds', async () => {
    const { lines } = await csv('workspaces/file?format=csv&status=TRIAL&columns=name,last_activity_at')
    expect(lines).toEqual(['Name,Last activity', expect.stringMatching(/^North,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)])
  })

  test('a workspace admin gets the own workspace', async () => {
    expect((await csv('workspaces/file?format=csv&columns=id', admin)).lines).toEqual(['ID', String(north)])
  })
})

test('a download is an event with its columns and filter, for the admins of the workspace too if one of them made it', async () => {
  await csv('users/file?format=csv&columns=id,email&type=MODERATOR', admin)
  const { body } = await admin<AuditPage>('GET', '/api/v1/audit/?entity=users&action=download')
  expect(body.objects.find(({ changes }) => changes.type?.after === 'MODERATOR')?.changes).toEqual({
    format: { before: null, after: 'csv' },
    columns: { before: null, after: ['id', 'email'] },
    type: { before: null, after: 'MODERATOR' },
  })
  await csv('workspaces/file?format=csv&columns=id')
  const own = await admin<AuditPage>('GET', '/api/v1/audit/?entity=workspaces&action=download')
  expect(own.body.objects.filter(({ actor }) => actor?.id === 1)).toEqual([])
  const all = await watchdesk.admin<AuditPage>('GET', '/api/v1/audit/?entity=workspaces&action=download')
  expect(all.body.objects.length).toBeGreaterThan(0)
})

test('a file of the users of very many workspaces has them all, and is an event', async () => {
  const file = 'users/file?format=csv&columns=email&search=file.example'
  const ids = Array.from({ length: 998 }, (_, index) => 1_000_000_000 + index * 7919)
  const { lines } = await csv(`${file}&workspace_ids=${[...ids, north, south]}`)
  expect(lines.slice(1)).toEqual(['bo@file.example', 'Cy@file.example', 'al@file.example'])
  const { body } = await watchdesk.admin<AuditPage>('GET', '/api/v1/audit/?entity=users&action=download')
  expect(body.objects[0]?.changes.workspace_ids?.after).toHaveLength(1000)
})

test('the rows of a change of many records are downloaded as such', async () => {
  const body = { action: 'update', set: { language: 'EN' }, filter: { search: 'cy@file.example' } }
  const expected = { expected_count: 1, expected_changed_count: 1 }
  const changed = await watchdesk.admin<BulkChanged>('POST', '/api/v1/users/change', { ...body, ...expected })
  const { lines } = await csv(`imports/${changed.body.import_id}/file?format=csv`)
  expect(lines).toHaveLength(2)
  const events = await watchdesk.admin<AuditPage>('GET', '/api/v1/audit/?entity=users&action=download')
  expect(events.body.objects[0]).toMatchObject({ changes: { import_id: { after: changed.body.import_id } } })
})
