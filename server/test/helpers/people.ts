import { randomBytes } from 'node:crypto'
import { USER_DEFAULTS } from '@watchdesk/contract/users'
import type { InjectOptions } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { savePending } from '../../src/modules/auth/session/pending.ts'
import { hashToken, makeApiToken } from '../../src/token.ts'
import { type Caller, caller, QUOTAS, type Watchdesk } from './watchdesk.ts'

/** The first account of a new database. */
export const FIRST_ADMIN = { id: 1, workspace_id: 1 }

type Account = {
  workspace_id: number
  is_admin?: boolean
  is_super_admin?: boolean
  is_auditor?: boolean
  password_hash?: string
}

/** A user without a real password hash: hashing a thousand passwords would take a minute. */
export async function insertUser({ database }: Watchdesk, account: Account) {
  const email = `${randomBytes(8).toString('hex')}@example.com`
  return database.db
    .insertInto('users')
    .values({ ...USER_DEFAULTS, first_name: 'Kim', last_name: 'Quick', email, password_hash: 'none', ...account })
    .returning(['id', 'workspace_id', 'email'])
    .executeTakeFirstOrThrow()
}

type Age = { created_minutes_ago?: number; seen_minutes_ago?: number }

/** A client with a new session of any age, for any user, including users who cannot sign in. */
export async function openSession({ app, database }: Watchdesk, user_id: number, age: Age = {}) {
  const token = randomBytes(32).toString('base64url')
  const { created_minutes_ago = 0, seen_minutes_ago = 0 } = age
  await sql`insert into sessions (token_hash, user_id, created_at, last_seen_at) values (
    ${hashToken(token)}, ${user_id},
    now() - make_interval(mins => ${created_minutes_ago}), now() - make_interval(mins => ${seen_minutes_ago}))`.execute(
    database.db,
  )
  return caller(app, token)
}

/** A client whose password was right, but whose second factor is missing. */
export async function openHalfSignIn({ app, database }: Watchdesk, user_id: number, kind: 'second_factor' | 'set_up') {
  const { password_hash } = await database.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  const data = { password: hashToken(password_hash).toString('hex') }
  const { token } = await savePending(database.db, { kind, user_id, data })
  return caller(app, token)
}

/** A client with a new token of any user. */
export async function openToken({ app, database }: Watchdesk, user_id: number, { is_read_only = false } = {}) {
  const token = makeApiToken()
  const name = randomBytes(8).toString('hex')
  await sql`insert into api_tokens (token_hash, user_id, name, is_read_only, expires_at)
    values (${hashToken(token)}, ${user_id}, ${name}, ${is_read_only}, now() + interval '1 day')`.execute(database.db)
  return caller(app, token)
}

/** Clients without a valid session, by reason. */
export async function makeNobodies(watchdesk: Watchdesk, workspace_id: number): Promise<Record<string, Caller>> {
  const { app, anonymous, admin, createWorkspace } = watchdesk
  const signedOut = await openSession(watchdesk, FIRST_ADMIN.id)
  await signedOut('POST', '/api/v1/logout')
  const [lost, closed] = [await createWorkspace(), await createWorkspace()]
  return {
    'no token': anonymous,
    'a garbage token': caller(app, 'garbage'),
    'a token that nobody got': caller(app, randomBytes(32).toString('base64url')),
    "a token's hash": caller(app, hashToken(admin.token).toString('hex')),
    'a token under another scheme': underBasic(admin.token),
    'a session idle for 8 hours': await openSession(watchdesk, FIRST_ADMIN.id, { seen_minutes_ago: 481 }),
    'a session of 24 hours': await openSession(watchdesk, FIRST_ADMIN.id, { created_minutes_ago: 1441 }),
    'a session that was signed out': signedOut,
    'a sign-in without its second factor': await openHalfSignIn(watchdesk, FIRST_ADMIN.id, 'second_factor'),
    'a sign-in that has to set one up': await openHalfSignIn(watchdesk, FIRST_ADMIN.id, 'set_up'),
    'a demoted workspace admin': await after(alter(sql`is_admin = false`), { workspace_id, is_admin: true }),
    'a demoted super admin': await after(alter(sql`is_super_admin = false`), { workspace_id, is_super_admin: true }),
    'a deleted user': await after(alter(sql`deleted_at = now()`), { workspace_id, is_admin: true }),
    'a user of a deactivated workspace': await after(
      () => admin('PUT', `/api/v1/workspaces/${closed.id}`, { name: 'Closed', ...QUOTAS, status: 'DEACTIVATED' }),
      { workspace_id: closed.id, is_admin: true },
    ),
    'a user of a deleted workspace': await after(() => admin('DELETE', `/api/v1/workspaces/${lost.id}`), {
      workspace_id: lost.id,
      is_admin: true,
    }),
  }

  function underBasic(token: string): Caller {
    const headers = { authorization: `Basic ${token}` }
    const call = <Body>(method: InjectOptions['method'], url: string, body?: unknown) =>
      anonymous<Body>(method, url, body, headers)
    return Object.assign(call, { token })
  }

  async function after(change: (user_id: number) => Promise<unknown>, account: Account) {
    const { id } = await insertUser(watchdesk, account)
    const call = await openSession(watchdesk, id)
    await change(id)
    return call
  }

  function alter(change: RawBuilder<unknown>) {
    return (id: number) => sql`update users set ${change} where id = ${id}`.execute(watchdesk.database.db)
  }
}
