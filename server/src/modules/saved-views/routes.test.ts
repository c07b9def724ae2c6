import type { CurrentUser } from '@watchdesk/contract/auth/session'
import { errorText } from '@watchdesk/contract/errors'
import { type SavedView, VIEWS_PER_LIST } from '@watchdesk/contract/saved-views'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { insertUser, openSession } from '../../../test/helpers/people.ts'
import { type Caller, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const URL = '/api/v1/saved_views/'
const TRIALS = { list: 'workspaces', name: 'Trials', query: 'status=TRIAL&sort=-name&columns=id,name' }

let me: Caller
let id: number

beforeEach(async () => {
  id = (await insertUser(watchdesk, { workspace_id: 1, is_admin: true })).id
  me = await openSession(watchdesk, id)
})

const save = (body: object) => me<SavedView>('POST', URL, { ...TRIALS, ...body })
const edit = (body: object) => me<SavedView>('PATCH', URL, { list: 'workspaces', name: 'Trials', ...body })
const remove = (name: string) => me('DELETE', `${URL}?list=workspaces&name=${encodeURIComponent(name)}`)

async function views(list = 'workspaces', call = me) {
  return (await call<{ objects: SavedView[] }>('GET', `${URL}?list=${list}`)).body.objects
}

async function names() {
  return (await views()).map(({ name }) => name)
}

describe('views', () => {
  test('a saved view is listed with its list only, by name', async () => {
    const saved = await save({})
    expect([saved.status, saved.body]).toEqual([201, TRIALS])
    await save({ name: 'all' })
    await save({ list: 'users', query: '' })
    expect(await names()).toEqual(['all', 'Trials'])
    expect(await views('users')).toEqual([{ list: 'users', name: 'Trials', query: '' }])
  })

  test('can be renamed, replaced and deleted', async () => {
    await save({})
    expect((await edit({ new_name: 'TRIALS' })).body).toEqual({ ...TRIALS, name: 'TRIALS' })
    expect((await edit({ query: 'sort=id' })).body).toEqual({ ...TRIALS, name: 'TRIALS', query: 'sort=id' })
    expect((await remove('trials')).status).toBe(204)
    expect(await names()).toEqual([])
  })

  test('a name is refused if it is taken, in any letter case', async () => {
    await save({})
    const again = await save({ name: ' TRIALS ' })
    expect([again.status, errorText(again.body)]).toEqual([409, 'You already have a view with this name.'])
    await save({ name: 'Other' })
    expect((await edit({ new_name: 'other' })).status).toBe(409)
    expect(await names()).toEqual(['Other', 'Trials'])
  })

  test('those of others can be neither seen nor changed', async () => {
    await save({})
    const other = await openSession(watchdesk, (await insertUser(watchdesk, { workspace_id: 1, is_admin: true })).id)
    for (const call of [other, watchdesk.admin]) {
      expect(await views('workspaces', call)).toEqual([])
      expect((await call('PATCH', URL, { list: 'workspaces', name: 'Trials', query: 'sort=id' })).status).toBe(404)
      expect((await call('DELETE', `${URL}?list=workspaces&name=Trials`)).status).toBe(404)
    }
    expect(await views()).toEqual([TRIALS])
  })

  test('there can be only so many of a list, however many are saved at the same time', async () => {
    await sql`insert into saved_views (user_id, list, name, query)
      select ${id}, 'workspaces', 'View ' || n, '' from generate_series(1, ${VIEWS_PER_LIST - 1}::int) n`.execute(
      watchdesk.database.db,
    )
    const saved = await Promise.all(['a', 'b', 'c'].map((name) => save({ name })))
    expect(saved.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(errorText(saved.find(({ status }) => status === 409)?.body)).toBe(
      'You have 50 views of this list already. Delete one of them first.',
    )
    expect((await save({ list: 'users' })).status).toBe(201)
  })

  test.each([
    [{ list: 'sources' }, /^list: /],
    [{ name: ' ' }, 'Name is required!'],
    [{ name: 'n'.repeat(201) }, 'name: At most 200 characters.'],
    [{ query: 'q'.repeat(2001) }, 'query: At most 2,000 characters.'],
    [{ query: 'https://example.com/?a=b' }, 'query: Must be the query of an address, without the question mark.'],
    [{ user_id: 1 }, 'user_id is not a known field.'],
  ])('%j is refused', async (field, message) => {
    const { status, body } = await save(field)
    expect(status).toBe(422)
    expect(errorText(body)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  })

  test('what does not exist is not found', async () => {
    expect([(await edit({ query: '' })).status, (await remove('Trials')).status]).toEqual([404, 404])
  })
})

describe('columns', () => {
  const choose = (columns: string[] | null, list = 'users') => me('PUT', `${URL}columns`, { list, columns })
  const chosen = async (call = me) => (await call<CurrentUser>('GET', '/api/v1/users/me')).body.columns

  test('those that were chosen are read with the signed-in user, by list', async () => {
    expect(await chosen()).toEqual({})
    expect((await choose(['email', 'id'])).status).toBe(204)
    await choose(['name', 'trial_end_date'], 'workspaces')
    expect(await chosen()).toEqual({ users: ['email', 'id'], workspaces: ['name', 'trial_end_date'] })
    await choose(['id'])
    await choose(null, 'workspaces')
    expect(await chosen()).toEqual({ users: ['id'] })
    expect(await chosen(watchdesk.admin)).toEqual({})
  })

  test.each([
    [[], 'Choose at least one column.'],
    [['id', 'id'], 'The list contains the same column twice.'],
    [['password_hash'], 'password_hash is not a column of this list.'],
    [['trial_end_date'], 'trial_end_date is not a column of this list.'],
  ])('%j is refused', async (columns, message) => {
    const { status, body } = await choose(columns)
    expect([status, errorText(body)]).toEqual([422, message])
    expect(await chosen()).toEqual({})
  })
})

test('all is gone with the user, and nothing is recorded as an event', async () => {
  await save({})
  await me('PUT', `${URL}columns`, { list: 'users', columns: ['id'] })
  const { db } = watchdesk.database
  const events = await sql`select from audit_events where actor_id = ${id}`.execute(db)
  expect(events.rows).toHaveLength(0)
  await sql`delete from users where id = ${id}`.execute(db)
  const left = await sql`select from saved_views where user_id = ${id} union all
    select from list_columns where user_id = ${id}`.execute(db)
  expect(left.rows).toHaveLength(0)
})
