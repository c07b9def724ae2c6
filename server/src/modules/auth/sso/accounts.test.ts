import { randomUUID } from 'node:crypto'
import type { CurrentUser } from '@watchdesk/contract/auth/session'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProviderAccount, startOidcProvider } from '../../../../test/helpers/oidc.ts'
import { openBrowser } from '../../../../test/helpers/sso-browser.ts'
import { ADMIN, useWatchdesk, type Watchdesk } from '../../../../test/helpers/watchdesk.ts'

const provider = await startOidcProvider('http://127.0.0.1:39873')
const lines: string[] = []
const OIDC_ROLES = 'desk-admins=super_admin, desk-audit=auditor, desk-staff=admin'
const plain = useWatchdesk(provider.settings)
const creating = useWatchdesk({ ...provider.settings, OIDC_NEW_USERS_WORKSPACE: '1' })
const mapping = useWatchdesk(
  { ...provider.settings, OIDC_NEW_USERS_WORKSPACE: '1', OIDC_ROLES, LOG_LEVEL: 'warn' },
  { logStream: { write: (line) => void lines.push(line) } },
)
afterAll(() => provider.stop())

/** Someone at the provider, with an email of their own. */
function somebody(claims: ProviderAccount = {}) {
  const subject = randomUUID()
  const email = `${subject}@example.com`
  provider.accounts[subject] = { email, email_verified: true, ...claims }
  return { subject, email }
}

async function signIn(watchdesk: Watchdesk, subject: string) {
  const browser = openBrowser(watchdesk)
  const location = await browser.signIn(subject)
  if (location !== '/login?sso=done') return { problem: location.replace('/login?sso=', '') }
  const { call } = await browser.finish()
  return { call, me: (await call<CurrentUser>('GET', '/api/v1/users/me')).body }
}

async function rowOf({ database }: Watchdesk, email: string) {
  const { rows } = await sql<{ id: number; [field: string]: unknown }>`
    select * from users where email = ${email} and deleted_at is null`.execute(database.db)
  return rows[0]
}

async function eventsOf({ database }: Watchdesk, id: number) {
  const { rows } = await sql`select action, entity, actor_id, actor_name, changes from audit_events
    where entity_id = ${id} and entity in ('user', 'sso_account') and actor_name = 'Single sign-on'
    order by id`.execute(database.db)
  return rows
}

describe('a user is found', () => {
  test('by the verified email, in upper or lower case', async () => {
    const { subject, email } = somebody()
    const user = await plain.createUser({ email: email.toUpperCase(), is_admin: true })
    expect((await signIn(plain, subject)).me?.id).toBe(user.id)
  })

  test('by the account of the provider from then on, although both emails change', async () => {
    const { subject, email } = somebody()
    const user = await plain.createUser({ email, is_admin: true })
    await signIn(plain, subject)
    provider.accounts[subject] = { email: 'married@example.com', email_verified: false }
    await plain.admin('PATCH', `/api/v1/users/${user.id}`, { email: `new-${email}` })
    expect((await signIn(plain, subject)).me?.id).toBe(user.id)
    const taken = await plain.createUser({ email, is_admin: true })
    provider.accounts[subject] = { email, email_verified: true }
    expect((await signIn(plain, subject)).me?.id).not.toBe(taken.id)
  })

  test.each<[string, ProviderAccount]>([
    ['an email that is not verified', { email_verified: false }],
    ['an email that may be verified', { email_verified: undefined }],
    ['no email', { email: undefined }],
    ['something else than an email', { email: 'a@b@c' }],
  ])('by no account with %s', async (_, claims) => {
    const { subject, email } = somebody(claims)
    await plain.createUser({ email, is_admin: true })
    expect(await signIn(plain, subject)).toEqual({ problem: 'unverified_email' })
  })

  test('by no other account of the provider that gets the same email', async () => {
    const { subject, email } = somebody()
    const user = await plain.createUser({ email, is_admin: true })
    await signIn(plain, subject)
    const other = somebody({ email })
    expect(await signIn(plain, other.subject)).toEqual({ problem: 'no_account' })
    expect((await signIn(plain, subject)).me?.id).toBe(user.id)
  })

  test('and nobody else', async () => {
    expect(await signIn(plain, somebody().subject)).toEqual({ problem: 'no_account' })
  })
})

describe('a user is refused', () => {
  test('without admin rights, also when they are lost before the session is fetched', async () => {
    const { subject, email } = somebody()
    const { id } = await plain.createUser({ email, is_admin: false })
    expect(await signIn(plain, subject)).toEqual({ problem: 'no_access' })
    await plain.admin('PATCH', `/api/v1/users/${id}`, { is_admin: true })
    expect((await signIn(plain, subject)).me?.id).toBe(id)

    const browser = openBrowser(plain)
    await browser.signIn(subject)
    await plain.admin('PATCH', `/api/v1/users/${id}`, { is_admin: false })
    expect((await browser.open('/api/v1/login/sso')).status).toBe(401)
  })

  test('who is deleted, and is not created again', async () => {
    const { subject, email } = somebody()
    const { id } = await creating.createUser({ email, is_admin: true })
    const unlinked = somebody()
    const other = await creating.createUser({ email: unlinked.email, is_admin: true })
    await signIn(creating, subject)
    for (const each of [id, other.id]) await creating.admin('DELETE', `/api/v1/users/${each}`)
    expect(await signIn(creating, subject)).toEqual({ problem: 'no_account' })
    expect(await signIn(creating, unlinked.subject)).toEqual({ problem: 'no_account' })
    expect(await rowOf(creating, email)).toBeUndefined()

    const added = await creating.createUser({ email, is_admin: true })
    expect((await signIn(creating, subject)).me?.id).toBe(added.id)
  })

  test('whose workspace is deactivated or deleted', async () => {
    const { subject, email } = somebody()
    const workspace = await plain.createWorkspace()
    await plain.createUser({ email, is_admin: true, workspace_id: workspace.id })
    const setStatus = (status: string) =>
      sql`update workspaces set status = ${status} where id = ${workspace.id}`.execute(plain.database.db)
    await setStatus('DEACTIVATED')
    expect(await signIn(plain, subject)).toEqual({ problem: 'deactivated' })
    await setStatus('FREE_ACCESS')
    expect((await signIn(plain, subject)).problem).toBeUndefined()
    await plain.admin('DELETE', `/api/v1/workspaces/${workspace.id}`)
    expect(await signIn(plain, subject)).toEqual({ problem: 'no_account' })
  })
})

describe('a new user', () => {
  test('is created without rights and without a password, and gets in once an admin allows it', async () => {
    const { subject, email } = somebody({ given_name: ' Olena ', family_name: 'Kovalenko' })
    expect(await signIn(creating, subject)).toEqual({ problem: 'no_access' })
    const user = await rowOf(creating, email)
    const rights = { is_admin: false, is_super_admin: false, is_auditor: false, has_password: false }
    expect(user).toMatchObject({ first_name: 'Olena', last_name: 'Kovalenko', workspace_id: 1, ...rights })
    expect(await eventsOf(creating, user?.id ?? 0)).toMatchObject([
      { action: 'create', entity: 'user', actor_id: null, changes: { email: { before: null, after: email } } },
      { action: 'create', entity: 'sso_account', actor_id: null },
    ])
    await creating.admin('PATCH', `/api/v1/users/${user?.id}`, { is_admin: true })
    expect((await signIn(creating, subject)).me?.id).toBe(user?.id)
  })

  test.each<[string, ProviderAccount, string[]]>([
    ['the full name', { name: 'Olena Maria Kovalenko' }, ['Olena', 'Maria Kovalenko']],
    ['the first 200 characters', { given_name: 'x'.repeat(500), family_name: 'y' }, ['x'.repeat(200), 'y']],
    ['the email, if a name cannot be stored', { given_name: 'a\0b', family_name: 7 }, ['', 'example.com']],
  ])('is named after %s', async (_, claims, [first, last]) => {
    const { subject, email } = somebody(claims)
    await signIn(creating, subject)
    expect(await rowOf(creating, email)).toMatchObject({ first_name: first || subject, last_name: last })
  })

  test('is created once, by sign-ins at the same time', async () => {
    const { subject, email } = somebody()
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => signIn(creating, subject)))
    expect(outcomes).toEqual(Array(4).fill({ problem: 'no_access' }))
    const { rows } = await sql`select from users where email = ${email}`.execute(creating.database.db)
    expect(rows).toHaveLength(1)
  })

  test('is not created with an email that is not verified', async () => {
    const { subject, email } = somebody({ email_verified: false })
    expect(await signIn(creating, subject)).toEqual({ problem: 'unverified_email' })
    expect(await rowOf(creating, email)).toBeUndefined()
  })
})

describe('the roles of the provider', () => {
  test.each<[unknown, object]>([
    ['desk-staff', { is_admin: true, is_super_admin: false, is_auditor: false }],
    [['desk-staff', 'desk-audit'], { is_admin: false, is_super_admin: false, is_auditor: true }],
    [['desk-audit', 'other', 'desk-admins'], { is_admin: false, is_super_admin: true, is_auditor: false }],
  ])('%j are those of a new user', async (groups, rights) => {
    const { subject } = somebody({ groups })
    expect((await signIn(mapping, subject)).me).toMatchObject(rights)
  })

  test.each([[[]], ['unknown'], [['Desk-Admins']], [{ 'desk-admins': true }], [undefined], ['desk-admins,desk-staff']])(
    '%j are none',
    async (groups) => {
      expect(await signIn(mapping, somebody({ groups }).subject)).toEqual({ problem: 'no_access' })
    },
  )

  test('change with every sign-in, are recorded, and end the sessions of someone without any', async () => {
    const { subject, email } = somebody({ groups: ['desk-admins'] })
    await mapping.createUser({ email, is_admin: true })
    const first = await signIn(mapping, subject)
    const id = first.me?.id ?? 0
    expect(first.me).toMatchObject({ is_admin: true, is_super_admin: true, version: 2 })
    expect((await signIn(mapping, subject)).me?.version).toBe(2)

    provider.accounts[subject] = { ...provider.accounts[subject], groups: ['desk-audit'] }
    expect((await signIn(mapping, subject)).me).toMatchObject({
      is_admin: false,
      is_super_admin: false,
      is_auditor: true,
    })
    expect((await first.call?.('GET', '/api/v1/users/me'))?.status).toBe(200)
    provider.accounts[subject] = { ...provider.accounts[subject], groups: [] }
    expect(await signIn(mapping, subject)).toEqual({ problem: 'no_access' })
    expect((await first.call?.('GET', '/api/v1/users/me'))?.status).toBe(401)
    const { rows } = await sql`select from sessions where user_id = ${id}`.execute(mapping.database.db)
    expect(rows).toEqual([])
    expect(await eventsOf(mapping, id)).toMatchObject([
      { action: 'update', changes: { is_super_admin: { before: false, after: true } } },
      { entity: 'sso_account' },
      { action: 'update', changes: { is_admin: { before: true, after: false }, is_auditor: { after: true } } },
      { action: 'update', changes: { is_auditor: { before: true, after: false } } },
    ])
  })

  test('do not touch anybody when none are set', async () => {
    const { subject, email } = somebody({ groups: ['desk-admins'] })
    await plain.createUser({ email, is_admin: true })
    expect((await signIn(plain, subject)).me).toMatchObject({ is_admin: true, is_super_admin: false, version: 1 })
  })
})

describe('the last super admin', () => {
  beforeAll(async () => {
    await sql`update users set is_super_admin = false where email <> ${ADMIN.email}`.execute(mapping.database.db)
  })

  test('stays one whatever the provider says, and the log says so', async () => {
    const { subject } = somebody({ email: ADMIN.email, groups: ['desk-admins'] })
    await signIn(mapping, subject)
    provider.accounts[subject] = { ...provider.accounts[subject], groups: [] }
    expect((await signIn(mapping, subject)).me).toMatchObject({ is_super_admin: true, version: 1 })
    expect(lines.join()).toContain('The last super admin stays one')

    await mapping.createUser({ is_super_admin: true })
    expect(await signIn(mapping, subject)).toEqual({ problem: 'no_access' })
    await sql`update users set is_super_admin = true where email = ${ADMIN.email}`.execute(mapping.database.db)
  })

  test('is not lost when two lose their role at the same time', async () => {
    const two = [somebody({ groups: ['desk-admins'] }), somebody({ groups: ['desk-admins'] })]
    for (const { subject } of two) await signIn(mapping, subject)
    const emails = two.map(({ email }) => email)
    await sql`update users set is_super_admin = (email = any(${emails}))`.execute(mapping.database.db)
    for (const { subject } of two) provider.accounts[subject] = { ...provider.accounts[subject], groups: [] }
    const outcomes = await Promise.all(two.map(({ subject }) => signIn(mapping, subject)))
    expect(outcomes.map(({ problem }) => problem ?? 'done').sort()).toEqual(['done', 'no_access'])
    await sql`update users set is_super_admin = true where email = ${ADMIN.email}`.execute(mapping.database.db)
  })
})
