import { randomUUID } from 'node:crypto'
import type { CurrentUser } from '@watchdesk/contract/auth/session'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { startOidcProvider } from '../../../../test/helpers/oidc.ts'
import { openToken } from '../../../../test/helpers/people.ts'
import { addAuthenticator } from '../../../../test/helpers/second-factors.ts'
import { openBrowser } from '../../../../test/helpers/sso-browser.ts'
import { type Caller, PASSWORD, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

const provider = await startOidcProvider('http://127.0.0.1:39874')
const OIDC_ROLES = 'desk-admins=super_admin, desk-audit=auditor, desk-staff=admin'
const watchdesk = useWatchdesk({ ...provider.settings, OIDC_ROLES })
afterAll(() => provider.stop())

const ME = '/api/v1/users/me'

/** The owner of an email at the provider. */
function owner(groups: string[]) {
  const subject = randomUUID()
  const email = `${subject}@example.com`
  provider.accounts[subject] = { email, email_verified: true, groups }
  return { subject, email }
}

async function signInAs(subject: string) {
  const browser = openBrowser(watchdesk)
  expect(await browser.signIn(subject)).toBe('/login?sso=done')
  const { call } = await browser.finish()
  return { call, me: (await call<CurrentUser>('GET', ME)).body }
}

/** Everything with which somebody else could come back to an account. */
async function waysInto(user: { id: number; email: string }) {
  const session = await watchdesk.signIn(user.email)
  await addAuthenticator(session)
  return { session, token: await openToken(watchdesk, user.id) }
}

async function expectNoWay({ email }: { email: string }, ways: Record<string, Caller>) {
  for (const [name, call] of Object.entries(ways)) expect((await call('GET', ME)).status, name).toBe(401)
  expect((await watchdesk.anonymous('POST', '/api/v1/login', { email, password: PASSWORD })).status).toBe(401)
}

async function leftOf(user_id: number) {
  const { rows } = await sql`select has_password,
      (select count(*)::int from authenticators where user_id = users.id) as authenticators,
      (select count(*)::int from recovery_codes where user_id = users.id) as recovery_codes
    from users where id = ${user_id}`.execute(watchdesk.database.db)
  return rows[0]
}

const NOTHING = { has_password: false, authenticators: 0, recovery_codes: 0 }

describe('the first single sign-on ends every other way into an account', () => {
  test('that an admin has given the email of somebody else', async () => {
    const boss = owner(['desk-admins'])
    const { call, ...mallory } = await watchdesk.createPerson()
    const token = await openToken(watchdesk, mallory.id)
    const renamed = { email: boss.email, current_password: PASSWORD }
    expect((await call('PATCH', '/api/v1/account/', renamed)).status).toBe(200)

    const { me } = await signInAs(boss.subject)
    expect(me).toMatchObject({ id: mallory.id, is_super_admin: true })
    await expectNoWay(boss, { session: call, token })
    expect(me.notices).toMatchObject([{ kind: 'replaced_by_sso', by: 'Single sign-on' }])
  })

  test.each([['desk-admins'], ['desk-audit'], ['desk-staff']])(
    'that an admin has created with a known password, for someone of %s',
    async (group) => {
      const { subject, email } = owner([group])
      const user = await watchdesk.createUser({ email, is_admin: true })
      const ways = await waysInto(user)
      await signInAs(subject)
      await expectNoWay(user, ways)
      expect(await leftOf(user.id)).toEqual(NOTHING)
      const { rows } = await sql<{ changes: object }>`select changes from audit_events
        where entity_id = ${user.id} and actor_name = 'Single sign-on'`.execute(watchdesk.database.db)
      expect(Object.assign({}, ...rows.map(({ changes }) => changes))).toMatchObject({
        password: { after: '(changed)' },
        second_factors: { before: 1, after: 0 },
        tokens: { before: 1, after: 0 },
        sessions: { before: 1, after: 0 },
      })
    },
  )

  test('but not of a super admin, who gets no more rights by it', async () => {
    const { subject, email } = owner(['desk-admins'])
    const user = await watchdesk.createUser({ email, is_super_admin: true })
    const { session, token } = await waysInto(user)
    const { me } = await signInAs(subject)
    expect(me.notices).toEqual([])
    for (const call of [session, token]) expect((await call('GET', ME)).status).toBe(200)
    expect(await leftOf(user.id)).toMatchObject({ has_password: true, authenticators: 1 })
  })

  test('but nothing changes for someone who is refused', async () => {
    const { subject, email } = owner([])
    const user = await watchdesk.createUser({ email, is_admin: true })
    const call = await watchdesk.signIn(email)
    expect(await openBrowser(watchdesk).signIn(subject)).toBe('/login?sso=no_access')
    expect((await call<CurrentUser>('GET', ME)).body.is_admin).toBe(true)
    expect(await leftOf(user.id)).toMatchObject({ has_password: true })
    const { rows } = await sql`select from sso_accounts where user_id = ${user.id}`.execute(watchdesk.database.db)
    expect(rows).toEqual([])
  })

  test('and says nothing to someone who had no other', async () => {
    const { subject, email } = owner(['desk-staff'])
    await watchdesk.createUser({ email, password: undefined, invite: true })
    expect((await signInAs(subject)).me.notices).toEqual([])
  })
})

test('a later one leaves what its owner has set up since, until the provider gives more rights', async () => {
  const { subject, email } = owner(['desk-staff'])
  const user = await watchdesk.createUser({ email, is_admin: true })
  const first = await signInAs(subject)
  await addAuthenticator(first.call)
  await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { password: PASSWORD })
  await signInAs(subject)
  expect(await leftOf(user.id)).toMatchObject({ has_password: true, authenticators: 1 })

  const token = await openToken(watchdesk, user.id)
  provider.accounts[subject] = { ...provider.accounts[subject], groups: ['desk-admins'] }
  expect((await signInAs(subject)).me.is_super_admin).toBe(true)
  await expectNoWay(user, { token })
  expect(await leftOf(user.id)).toEqual(NOTHING)
})
