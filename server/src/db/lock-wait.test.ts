import type { Invitation } from '@watchdesk/contract/users'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { waitForLocks } from '../../test/helpers/locks.ts'
import { insertUser, openSession } from '../../test/helpers/people.ts'
import { insertSource } from '../../test/helpers/sources.ts'
import { type Caller, QUOTAS, useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { createRights } from './rights.ts'

const watchdesk = useWatchdesk()

type Change = { table: string; ids: number[]; body: object }

/** Runs the work while a change of two records has locked the first one and waits for the second one. */
async function whileChanging({ table, ids, body }: Change, work: () => Promise<void>) {
  const person = await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })
  await sql`update users set first_name = 'Olena', last_name = 'Koval' where id = ${person.id}`.execute(
    watchdesk.database.db,
  )
  const call = await openSession(watchdesk, person.id)
  const client = await watchdesk.database.pool.connect()
  await client.query('begin')
  await client.query(`select from ${table} where id = $1 for update`, [ids[1]])
  const expected = { expected_count: 2, ...(table !== 'sources' && { expected_changed_count: 2 }) }
  const changing = call('POST', `/api/v1/${table}/change`, { ids, ...body, ...expected })
  try {
    await waitForLocks(watchdesk.database.pool)
    await work()
  } finally {
    await client.query('commit')
    client.release()
  }
  expect((await changing).status).toBe(200)
}

const REFUSED = [423, 'Olena Koval is changing many records right now. Try again in a moment.']

async function expectRefused(...calls: Parameters<Caller>[]) {
  const refused = await Promise.all(calls.map((call) => watchdesk.admin(...call)))
  expect(refused.map(({ status, body }) => [status, body.detail])).toEqual(calls.map(() => REFUSED))
}

test('an edit of a user who is being changed with many others is refused soon, and says who changes it', async () => {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  const ids = [(await insertUser(watchdesk, { workspace_id })).id, (await insertUser(watchdesk, { workspace_id })).id]
  const url = `/api/v1/users/${ids[0]}`
  const body = { action: 'update', set: { type: 'MODERATOR' } }
  await whileChanging({ table: 'users', ids, body }, () =>
    expectRefused(
      ['PATCH', url, { language: 'EN' }],
      ['DELETE', url],
      ['POST', `${url}/unlock`],
      ['DELETE', `/api/v1/workspaces/${workspace_id}`],
    ),
  )
  expect((await watchdesk.admin('PATCH', url, { language: 'EN' })).status).toBe(200)
})

test('so are edits of a workspace, a dashboard and a source', async () => {
  const workspaces = [(await watchdesk.createWorkspace()).id, (await watchdesk.createWorkspace()).id]
  const body = { action: 'update', set: { status: 'INTERNAL' } }
  const url = `/api/v1/workspaces/${workspaces[0]}`
  await whileChanging({ table: 'workspaces', ids: workspaces, body }, () =>
    expectRefused(['PUT', url, { name: 'Mine', ...QUOTAS }], ['DELETE', url]),
  )
  const { rows } = await sql<{ id: number }>`insert into powerbi_dashboards (name, embed_link)
    values ('One', 'https://example.com/1'), ('Two', 'https://example.com/2') returning id`.execute(
    watchdesk.database.db,
  )
  const dashboards = rows.map(({ id }) => id)
  await whileChanging({ table: 'powerbi_dashboards', ids: dashboards, body: { action: 'delete' } }, () =>
    expectRefused(['DELETE', `/api/v1/powerbi_dashboards/${dashboards[0]}`]),
  )
  const sources = [
    await insertSource(watchdesk, { url: 't.me/one' }),
    await insertSource(watchdesk, { url: 't.me/two' }),
  ]
  const ids = sources.map(({ id }) => id)
  const source = `/api/v1/sources/${ids[0]}`
  await whileChanging({ table: 'sources', ids, body: { action: 'set_country', country: 'PL' } }, () =>
    expectRefused(['PATCH', source, { country: 'UA' }], ['DELETE', source]),
  )
})

test('so is an edit of a user whom a job is changing, and a new password that the user chooses with a link', async () => {
  const { id } = await insertUser(watchdesk, { workspace_id: 1 })
  const { link } = (await watchdesk.admin<Invitation>('POST', `/api/v1/users/${id}/invite`)).body
  const chosen = { token: link?.split('#')[1], password: 'a chosen staple 5' }
  const { rows } = await sql<{ id: number; leased_by: string; created_by: number }>`
    insert into jobs (kind, state, input, leased_by, created_by, created_by_name)
    values ('users_change', 'running', '{}', gen_random_uuid(), 1, 'Super Admin') returning id, leased_by, created_by`.execute(
    watchdesk.database.db,
  )
  const [job] = rows
  if (!job) throw new Error('The job was not created')
  const { signal } = new AbortController()
  const { db, pool } = watchdesk.database
  const edited = await createRights(db, pool).writeForJob(job, { milliseconds: 60_000, signal }, async (trx) => {
    await sql`select from users where id = ${id} for update`.execute(trx)
    return Promise.all([
      watchdesk.admin('PATCH', `/api/v1/users/${id}`, { language: 'UK' }),
      watchdesk.anonymous('POST', '/api/v1/login/link/password', chosen),
    ])
  })
  expect(edited.map(({ status, body: { detail } }) => [status, detail])).toEqual([
    [423, 'Super Admin is changing many records right now. Try again in a moment.'],
    [423, 'Someone else is changing this right now. Try again in a moment.'],
  ])
  expect((await watchdesk.anonymous('POST', '/api/v1/login/link/password', chosen)).status).toBe(204)
})

test('admins of a workspace neither learn who changes many records nor which users of others are among them', async () => {
  const [own, other] = [await watchdesk.createWorkspace(), await watchdesk.createWorkspace()]
  const admin = await openSession(watchdesk, (await insertUser(watchdesk, { workspace_id: own.id, is_admin: true })).id)
  const ids = [
    (await insertUser(watchdesk, { workspace_id: own.id })).id,
    (await insertUser(watchdesk, { workspace_id: other.id })).id,
  ]
  const body = { action: 'update', set: { type: 'MODERATOR' } }
  await whileChanging({ table: 'users', ids, body }, async () => {
    const edits = ids.map((id) => admin('PATCH', `/api/v1/users/${id}`, { language: 'EN' }))
    expect((await Promise.all(edits)).map(({ status, body: { detail } }) => [status, detail])).toEqual([
      [423, 'Someone else is changing this right now. Try again in a moment.'],
      [404, 'User not found.'],
    ])
  })
})
