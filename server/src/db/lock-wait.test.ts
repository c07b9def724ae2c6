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

/** Runs the work while a change of many records has locked all of them but the last one, for which it waits. */
async function whileChanging({ table, ids, body }: Change, work: () => Promise<void>) {
  const person = await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })
  await sql`update users set first_name = 'Olena', last_name = 'Koval' where id = ${person.id}`.execute(
    watchdesk.database.db,
  )
  const call = await openSession(watchdesk, person.id)
  const client = await watchdesk.database.pool.connect()
  await client.query('begin')
  await client.query(`select from ${table} where id = $1 for update`, [ids.at(-1)])
  const expected = { expected_count: ids.length, ...(table !== 'sources' && { expected_changed_count: ids.length }) }
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

/** Each waits for a record of its own: those that wait for the same one would do so one after the other. */
async function expectRefused(...calls: Parameters<Caller>[]) {
  const refused = await Promise.all(calls.map((call) => watchdesk.admin(...call)))
  expect(refused.map(({ status, body }) => [status, body.detail])).toEqual(calls.map(() => REFUSED))
}

async function createUsers(count: number, workspace_id: number) {
  const ids = []
  for (let i = 0; i < count; i += 1) ids.push((await insertUser(watchdesk, { workspace_id })).id)
  return ids
}

test('an edit of a user who is being changed with many others is refused soon, and says who changes it', async () => {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  const { id: other_id } = await watchdesk.createWorkspace()
  const ids = [...(await createUsers(1, other_id)), ...(await createUsers(4, workspace_id))]
  const [edited, deleted, unlocked] = ids.slice(1).map((id) => `/api/v1/users/${id}`)
  const body = { action: 'update', set: { type: 'MODERATOR' } }
  await whileChanging({ table: 'users', ids, body }, () =>
    expectRefused(
      ['PATCH', `${edited}`, { language: 'EN' }],
      ['DELETE', `${deleted}`],
      ['POST', `${unlocked}/unlock`],
      ['DELETE', `/api/v1/workspaces/${other_id}`],
    ),
  )
  expect((await watchdesk.admin('PATCH', `${edited}`, { language: 'EN' })).status).toBe(200)
})

test('so are edits of a workspace, a dashboard and a source', async () => {
  const { db } = watchdesk.database
  const workspaces: number[] = []
  for (let i = 0; i < 3; i += 1) workspaces.push((await watchdesk.createWorkspace()).id)
  const { rows } = await sql<{ id: number }>`insert into powerbi_dashboards (name, embed_link)
    values ('One', 'https://example.com/1'), ('Two', 'https://example.com/2') returning id`.execute(db)
  const dashboards = rows.map(({ id }) => id)
  const sources: number[] = []
  for (const url of ['t.me/one', 't.me/two', 't.me/three']) sources.push((await insertSource(watchdesk, { url })).id)
  const status = { action: 'update', set: { status: 'INTERNAL' } }
  await whileChanging({ table: 'workspaces', ids: workspaces, body: status }, () =>
    expectRefused(
      ['PUT', `/api/v1/workspaces/${workspaces[0]}`, { name: 'Mine', ...QUOTAS }],
      ['DELETE', `/api/v1/workspaces/${workspaces[1]}`],
    ),
  )
  await whileChanging({ table: 'powerbi_dashboards', ids: dashboards, body: { action: 'delete' } }, () =>
    expectRefused(['DELETE', `/api/v1/powerbi_dashboards/${dashboards[0]}`]),
  )
  await whileChanging({ table: 'sources', ids: sources, body: { action: 'set_country', country: 'PL' } }, () =>
    expectRefused(
      ['PATCH', `/api/v1/sources/${sources[0]}`, { country: 'UA' }],
      ['DELETE', `/api/v1/sources/${sources[1]}`],
    ),
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
  const ids = [...(await createUsers(1, own.id)), ...(await createUsers(1, other.id))]
  const body = { action: 'update', set: { type: 'MODERATOR' } }
  await whileChanging({ table: 'users', ids, body }, async () => {
    const edits = ids.map((id) => admin('PATCH', `/api/v1/users/${id}`, { language: 'EN' }))
    expect((await Promise.all(edits)).map(({ status, body: { detail } }) => [status, detail])).toEqual([
      [423, 'Someone else is changing this right now. Try again in a moment.'],
      [404, 'User not found.'],
    ])
  })
})
