import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { MAX_ID } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import { hashToken } from '../../src/token.ts'
import { FORM_TYPE, multipart } from './form.ts'
import {
  CHALLENGES,
  KNOWN_PASSKEY,
  keepAuthenticator,
  keepKnownPasskey,
  keepNewAuthenticator,
  knownCode,
  newPasskey,
  removePasskeys,
  requestOf,
  saveChallenge,
} from './known-factors.ts'
import type { Operation } from './operations.ts'
import { FIRST_ADMIN, insertUser, openSession, openToken } from './people.ts'
import { insertSource } from './sources.ts'
import { ADMIN, PASSWORD, QUOTAS, type Watchdesk } from './watchdesk.ts'

/** A valid body for each operation. An operation missing here fails the generated tests. */
const BODIES: Record<string, (workspace_id: number) => Record<string, unknown>> = {
  'POST /api/v1/login': () => ADMIN,
  'POST /api/v1/login/link': () => ({ token: LINKS.opened.token }),
  'POST /api/v1/login/link/password': () => ({ token: LINKS.used.token, password: PASSWORD }),
  'POST /api/v1/login/link/session': () => ({ token: LINKS.signedIn.token }),
  'POST /api/v1/login/forgotten_password': () => ({ email: `${randomUUID()}@example.com` }),
  'POST /api/v1/login/passkey': () => ({ answer: KNOWN_PASSKEY.get(requestOf(CHALLENGES.sign_in)) }),
  'POST /api/v1/login/code': () => ({ code: knownCode() }),
  'POST /api/v1/login/second_passkey': () => ({ answer: KNOWN_PASSKEY.get(requestOf(CHALLENGES.second_factor)) }),
  'POST /api/v1/login/set_up/authenticator/confirm': () => ({ code: knownCode() }),
  'POST /api/v1/login/set_up/passkey': newPasskey,
  'POST /api/v1/account/authenticator/confirm': () => ({ code: knownCode() }),
  'POST /api/v1/account/passkeys/': newPasskey,
  'PATCH /api/v1/account/passkeys/{id}': () => ({ name: 'Renamed' }),
  'POST /api/v1/users/': (workspace_id) => ({
    first_name: 'Ada',
    last_name: 'Winter',
    email: `${randomUUID()}@example.com`,
    password: PASSWORD,
    workspace_id,
  }),
  'POST /api/v1/users/find': () => ({ emails: ['olena@example.com'] }),
  'POST /api/v1/users/import': (workspace_id) => ({
    workspace_id,
    rows_count: 1,
    rows: [{ row: 2, name: 'Ada Winter', email: `${randomUUID()}@example.com`, password: PASSWORD }],
  }),
  'PATCH /api/v1/account/': () => ({ first_name: 'Edited' }),
  'POST /api/v1/account/password': () => ({ password: 'another staple 8' }),
  'POST /api/v1/account/tokens/': () => ({ name: randomUUID(), days: 30, is_read_only: true }),
  'POST /api/v1/users/{id}/end_sessions': () => ({}),
  'POST /api/v1/users/{id}/reset_second_factor': () => ({ end_tokens: true, require_new_password: true }),
  'POST /api/v1/users/{id}/end_tokens': () => ({}),
  'PATCH /api/v1/users/{id}': () => ({ first_name: 'Edited' }),
  'POST /api/v1/users/{id}/restore': () => ({ email: `${randomUUID()}@example.com` }),
  'POST /api/v1/workspaces/{id}/restore': () => ({ emails: [] }),
  'POST /api/v1/bin/restore': () => ({ records: [{ kind: 'user', id: MAX_ID }] }),
  'POST /api/v1/bin/remove': () => DELETED_DASHBOARD,
  'POST /api/v1/workspaces/': () => ({ name: 'Made', ...QUOTAS }),
  'PUT /api/v1/workspaces/{id}': () => ({ name: 'Edited', ...QUOTAS }),
  'POST /api/v1/powerbi_dashboards/': () => ({ name: 'Made', embed_link: 'https://bi.example.com/made' }),
  'PATCH /api/v1/powerbi_dashboards/{id}': () => ({ name: 'Edited' }),
  'POST /api/v1/powerbi_dashboards/{id}/workspaces': (workspace_id) => ({ attach: [{ id: workspace_id }] }),
  'POST /api/v1/powerbi_dashboards/check_links': () => ({ ids: [MAX_ID], origin: 'https://desk.example.com' }),
  'PATCH /api/v1/sheets/{id}': () => ({ title: 'Renamed' }),
  'PATCH /api/v1/config/website_config': () => ({ sources_sheet_vk: '' }),
  'POST /api/v1/source_import/file': () => ({ key: randomUUID(), name: 'sources.csv', bytes: 2048 }),
  'POST /api/v1/source_import/sources': () => ({
    email: ADMIN.email,
    sheet_url: null,
    sheet_records: [{ source_url: `https://t.me/${randomUUID()}`, source_country: 'UA' }],
  }),
  'POST /api/v1/source_management/import': () => ({ platform: 'VK', type: 'import' }),
  'POST /api/v1/airflow/vectorize-narrative': () => ({
    narrative_id: FIRST_NARRATIVE,
    platforms: ['TELEGRAM'],
    content_types: [],
  }),
  'POST /api/v1/audit/{id}/put_back': () => ({ side: 'before', fields: ['first_name'] }),
  'PATCH /api/v1/sources/{id}': () => ({ country: 'PL' }),
  'POST /api/v1/sources/change': () => ({
    action: 'set_country',
    country: 'PL',
    filter: { search: CHANGED_SOURCE },
    expected_count: 1,
  }),
  'POST /api/v1/sources/export': () => ({ platform: 'OK' }),
  'POST /api/v1/sources/find': () => ({ addresses: ['t.me/example'] }),
  'POST /api/v1/users/change/preview': () => CHANGED_USERS,
  'POST /api/v1/users/change/preview/records': () => ({ ...CHANGED_USERS, outcome: 'changed' }),
  'POST /api/v1/users/change': () => ({ ...CHANGED_USERS, ...ONE_EXPECTED }),
  'POST /api/v1/workspaces/change/preview': () => CHANGED_WORKSPACES,
  'POST /api/v1/workspaces/change/preview/records': () => ({ ...CHANGED_WORKSPACES, outcome: 'changed' }),
  'POST /api/v1/workspaces/change': () => ({ ...CHANGED_WORKSPACES, ...ONE_EXPECTED }),
  'POST /api/v1/powerbi_dashboards/change/preview': () => DELETED_DASHBOARDS,
  'POST /api/v1/powerbi_dashboards/change/preview/records': () => ({ ...DELETED_DASHBOARDS, outcome: 'changed' }),
  'POST /api/v1/powerbi_dashboards/change': () => ({ ...DELETED_DASHBOARDS, ...ONE_EXPECTED }),
  'POST /api/v1/source_management/export': () => ({ platform: 'OK', type: 'export' }),
  'POST /api/v1/imports/{id}/undo': () => ({ changed: 'leave' }),
  'POST /api/v1/saved_views/': () => ({ list: 'users', name: randomUUID(), query: 'sort=email' }),
  'PATCH /api/v1/saved_views/': () => ({ list: 'users', name: EVERYBODYS_VIEW, query: 'sort=-email' }),
  'PUT /api/v1/saved_views/columns': () => ({ list: 'users', columns: ['id', 'email'] }),
}

export function validBody({ name, body }: Operation, workspace_id = 1) {
  if (!body) return undefined
  const make = BODIES[name]
  if (!make) throw new Error(`${name} has no valid body in test/helpers/requests.ts`)
  return make(workspace_id)
}

/** A table that is valid for every file upload. */
const FORM = [
  {
    name: 'file',
    filename: 'table.csv',
    content: 'narrative_id,message_composite_id,story,sentiment_score\n1,TELEGRAM:POST:1,Text,0.5\n',
  },
]

/** The body and headers of a call: none, JSON or a form. */
export function validCall(operation: Operation, workspace_id = 1): [body?: unknown, headers?: Record<string, string>] {
  if (operation.form) return [multipart(FORM), { 'content-type': FORM_TYPE }]
  return operation.body ? [validBody(operation, workspace_id)] : []
}

const FIRST_NARRATIVE = 1
const CHANGED_SOURCE = 't.me/changed_with_others'
const CHANGED_BY_ALL = 'Changed with others'
const CHANGED_USERS = { action: 'update', set: { type: 'MODERATOR' }, filter: { search: CHANGED_BY_ALL } }
const CHANGED_WORKSPACES = {
  action: 'update',
  set: { status: 'FREE_ACCESS', ai_quota: { top_up: 100 }, roles: { remove: ['search'] } },
  filter: { search: CHANGED_BY_ALL },
}
const DELETED_DASHBOARDS = { action: 'delete', ids: [MAX_ID - 2] }
const ONE_EXPECTED = { expected_count: 1, expected_changed_count: 1 }
const EVERYBODYS_VIEW = 'Everybody'
const DELETED_DASHBOARD = { kind: 'dashboard', id: MAX_ID - 1, name: 'Gone' }

/** Links that calls without a session need. Each belongs to a user of its own. */
const LINKS = {
  opened: { token: 'link-to-open', kind: 'invitation' },
  used: { token: 'link-to-choose-a-password', kind: 'password' },
  signedIn: { token: 'link-to-sign-in', kind: 'sign_in' },
} as const

/** What must exist before a call without an id. */
const NEEDED: Record<string, (watchdesk: Watchdesk, user_id: number) => Promise<unknown>> = {
  'POST /api/v1/login/passkey': async (watchdesk) => {
    await keepKnownPasskey(watchdesk, FIRST_ADMIN.id)
    await saveChallenge(watchdesk, 'sign_in', null)
  },
  'POST /api/v1/login/code': keepAuthenticator,
  'POST /api/v1/login/second_passkey/options': keepKnownPasskey,
  'POST /api/v1/login/second_passkey': async (watchdesk, user_id) => {
    await keepKnownPasskey(watchdesk, user_id)
    await saveChallenge(watchdesk, 'second_factor', user_id)
  },
  'POST /api/v1/login/set_up/authenticator/confirm': keepNewAuthenticator,
  'POST /api/v1/login/set_up/passkey': (watchdesk, user_id) => saveChallenge(watchdesk, 'new', user_id),
  'POST /api/v1/account/authenticator/confirm': keepNewAuthenticator,
  'DELETE /api/v1/account/authenticator': keepAuthenticator,
  'POST /api/v1/account/passkeys/options': removePasskeys,
  'POST /api/v1/account/passkeys/': async (watchdesk, user_id) => {
    await removePasskeys(watchdesk, user_id)
    await saveChallenge(watchdesk, 'new', user_id)
  },
  'POST /api/v1/account/recovery_codes': keepAuthenticator,
  // Without a password, a recent sign-in is enough to choose one.
  'POST /api/v1/account/password': ({ database }) => sql`update users set has_password = false`.execute(database.db),
  'DELETE /api/v1/account/sessions/': (watchdesk, user_id) => openSession(watchdesk, user_id),
  'POST /api/v1/airflow/vectorize-narrative': (watchdesk) => makeNarrative(watchdesk, FIRST_NARRATIVE),
  'POST /api/v1/sources/change': ({ database }) =>
    sql`insert into sources (platform, url) values ('TELEGRAM', ${`https://${CHANGED_SOURCE}`})
      on conflict (platform, url) do update set country = null`.execute(database.db),
  'POST /api/v1/users/change': ({ database }) =>
    sql`insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
      values (${FIRST_ADMIN.workspace_id}, ${CHANGED_BY_ALL}, 'Quick', 'changed.with.others@example.com', 'none', false, false,
        'STANDARD', '')
      on conflict (lower(email)) where deleted_at is null do update set type = 'STANDARD'`.execute(database.db),
  'POST /api/v1/workspaces/change': async ({ createWorkspace, database }) => {
    await sql`update workspaces set name = 'Former' where name = ${CHANGED_BY_ALL}`.execute(database.db)
    await createWorkspace({ name: CHANGED_BY_ALL })
  },
  'POST /api/v1/powerbi_dashboards/change': ({ database }) =>
    sql`insert into powerbi_dashboards (id, name, embed_link) overriding system value
      values (${MAX_ID - 2}, 'Deleted with others', 'https://bi.example.com/many')
      on conflict (id) do update set deleted_at = null`.execute(database.db),
  'POST /api/v1/login/link': (watchdesk) => makeLink(watchdesk, LINKS.opened),
  'POST /api/v1/login/link/password': (watchdesk) => makeLink(watchdesk, LINKS.used),
  'POST /api/v1/login/link/session': (watchdesk) => makeLink(watchdesk, LINKS.signedIn),
  'DELETE /api/v1/account/notices': ({ database }) =>
    sql`insert into account_notices (user_id, kind) select id, 'password_changed' from users`.execute(database.db),
  'POST /api/v1/source_import/jobs': endJobs,
  'POST /api/v1/stories-import/jobs': endJobs,
  'POST /api/v1/saved_views/': ({ database }) => sql`delete from saved_views`.execute(database.db),
  'PATCH /api/v1/saved_views/': saveViews,
  'DELETE /api/v1/saved_views/': saveViews,
  'POST /api/v1/bin/remove': ({ database }) =>
    sql`insert into powerbi_dashboards (id, name, embed_link, deleted_at) overriding system value
      values (${DELETED_DASHBOARD.id}, ${DELETED_DASHBOARD.name}, 'https://bi.example.com/gone', now())
      on conflict do nothing`.execute(database.db),
}

/** What a user must have before a call about the way they sign in. */
const TARGETS: Record<string, (watchdesk: Watchdesk, user_id: number) => Promise<unknown>> = {
  'POST /api/v1/users/{id}/end_sessions': (watchdesk, user_id) => openSession(watchdesk, user_id),
  'POST /api/v1/users/{id}/end_tokens': (watchdesk, user_id) => openToken(watchdesk, user_id),
  'POST /api/v1/users/{id}/reset_second_factor': ({ database }, user_id) =>
    sql`insert into recovery_codes (user_id, salt, code_hash) values (${user_id}, 'salt', 'hash')`.execute(database.db),
}

async function idOf({ database }: Watchdesk, table: 'sessions' | 'api_tokens', token: string) {
  const query = database.db.selectFrom(table).select('id').where('token_hash', '=', hashToken(token))
  return (await query.executeTakeFirstOrThrow()).id
}

/** The value of `{id}` or of the execution date in a path, by the path segment before it. */
type CreateEntity = (watchdesk: Watchdesk, workspace_id: number, user_id: number) => Promise<number | string>
const ENTITIES: Record<string, CreateEntity> = {
  sessions: async (watchdesk, _, user_id) => idOf(watchdesk, 'sessions', (await openSession(watchdesk, user_id)).token),
  tokens: async (watchdesk, _, user_id) => idOf(watchdesk, 'api_tokens', (await openToken(watchdesk, user_id)).token),
  passkeys: async ({ database }, _, user_id) => {
    const { rows } = await sql<{ id: number }>`
      insert into passkeys (user_id, credential_id, public_key, counter, name)
      values (${user_id}, ${randomBytes(32)}, '', 0, 'Target') returning id`.execute(database.db)
    return rows[0]?.id ?? 0
  },
  users: async (watchdesk, workspace_id) => (await insertUser(watchdesk, { workspace_id })).id,
  workspaces: async (_, workspace_id) => workspace_id,
  powerbi_dashboards: async ({ admin }) => {
    const body = { name: 'Target', embed_link: 'https://bi.example.com/target' }
    return (await admin<{ id: number }>('POST', '/api/v1/powerbi_dashboards/', body)).body.id
  },
  sheets: async ({ admin, database }) => {
    const body = { platform: 'OK', type: 'export' }
    const made = await admin<{ created_sheet_url: string }>('POST', '/api/v1/source_management/export', body)
    // The first export is named there, and could not be deleted.
    await sql`update website_config set values = values - 'sources_sheet_ok'`.execute(database.db)
    return Number(made.body.created_sheet_url.split('/').at(-1))
  },
  /** The event of an edit of a user. */
  audit: async (watchdesk, workspace_id) => {
    const { id } = await insertUser(watchdesk, { workspace_id })
    await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { first_name: 'Edited' })
    const { rows } = await sql<{
      id: number
    }>`select max(id) as id from audit_events where entity = 'user' and entity_id = ${id}`.execute(
      watchdesk.database.db,
    )
    return rows[0]?.id ?? 0
  },
  sources: async (watchdesk) => (await insertSource(watchdesk)).id,
  jobs: async ({ database }) => {
    const input = { file: { name: 'table.csv', kind: 'csv', bytes: 1, sha256: '' }, import_id: 1 }
    const { rows } = await sql<{ id: number }>`insert into jobs (kind, input, created_by, created_by_name)
      values ('source_import', ${JSON.stringify(input)}, ${FIRST_ADMIN.id}, 'Admin') returning id`.execute(database.db)
    return rows[0]?.id ?? 0
  },
  imports: async ({ admin }) => {
    const sheet_records = [{ source_url: `https://t.me/${randomUUID()}` }]
    const body = { email: ADMIN.email, sheet_url: null, sheet_records }
    return (await admin<{ import_id: number }>('POST', '/api/v1/source_import/sources', body)).body.import_id
  },
  narratives: (watchdesk) => makeNarrative(watchdesk, FIRST_NARRATIVE + 1),
  airflow: async (watchdesk) => {
    const narrative_id = await makeNarrative(watchdesk, FIRST_NARRATIVE)
    const execution_date = new Date(Date.now() + randomInt(1e12))
    await sql`insert into vectorization_runs (execution_date, narrative_id, platforms, content_types, model, status, runner)
      values (${execution_date}, ${narrative_id}, '{}', '{}', 'lexical', 'success', 'airflow')`.execute(
      watchdesk.database.db,
    )
    return execution_date.toISOString()
  },
}

/** Nobody can have many unfinished jobs, and no server carries them out here. */
async function endJobs({ database }: Watchdesk) {
  await sql`update jobs set state = 'cancelled', finished_at = now()`.execute(database.db)
}

async function makeLink(watchdesk: Watchdesk, { token, kind }: { token: string; kind: string }) {
  const { id } = await insertUser(watchdesk, { workspace_id: FIRST_ADMIN.workspace_id, is_admin: true })
  await sql`insert into one_time_links (user_id, kind, token_hash, expires_at)
    values (${id}, ${kind}, ${hashToken(token)}, now() + interval '1 hour')
    on conflict (token_hash) do nothing`.execute(watchdesk.database.db)
}

/** A view of everybody's own. */
async function saveViews({ database }: Watchdesk) {
  await sql`insert into saved_views (user_id, list, name, query)
    select id, 'users', ${EVERYBODYS_VIEW}, '' from users on conflict do nothing`.execute(database.db)
}

async function makeNarrative({ database }: Watchdesk, id: number) {
  await sql`insert into narratives (id) values (${id}) on conflict do nothing`.execute(database.db)
  return id
}

const NOWHERE: Record<string, string> = { id: String(MAX_ID), execution_date: '2001-01-01T00:00:00.000Z' }

/** The required query of an operation. */
const QUERIES: Record<string, string> = {
  'DELETE /api/v1/account/notices': `?up_to=${MAX_ID}`,
  'GET /api/v1/sheets/{id}/file': '?format=csv',
  'GET /api/v1/imports/{id}/file': '?format=csv',
  'GET /api/v1/sources/file': '?format=csv',
  'GET /api/v1/users/file': '?format=csv',
  'GET /api/v1/workspaces/file': '?format=csv',
  'GET /api/v1/saved_views/': '?list=users',
  'DELETE /api/v1/saved_views/': `?list=users&name=${EVERYBODYS_VIEW}`,
  'GET /api/v1/audit/{id}/record': '?side=before',
  'GET /api/v1/audit/file': '?format=csv',
  'GET /api/v1/audit/new': '?after=0-0',
  'GET /api/v1/narratives/{id}/similar': '?text=closed+bridge',
}

const foreignWorkspaces = new WeakMap<Watchdesk, Promise<{ id: number }>>()

/** Another workspace: a new one to call about, and one for all users and whatever else is in one. */
async function foreignWorkspace(watchdesk: Watchdesk, kind: string) {
  if (kind === 'workspaces') return (await watchdesk.createWorkspace()).id
  const known = foreignWorkspaces.get(watchdesk) ?? watchdesk.createWorkspace()
  foreignWorkspaces.set(watchdesk, known)
  return (await known).id
}

const PLACES = ['own', 'foreign', 'missing'] as const
export type Place = (typeof PLACES)[number]

/** The scopes that the id in a path can belong to; a path without an id is called once. */
export function placesOf({ path }: Operation): readonly Place[] {
  return path.includes('{') ? PLACES : ['own']
}

/** What the first admin may call about: anything anywhere, but only their own account. */
export function placeOf({ access }: Operation): Place {
  return access === 'account' ? 'own' : 'foreign'
}

/**
 * The address of a call about something in the caller's workspace, in another workspace, or nonexistent. For a call about
 * the caller's account, about something of the caller or of another user.
 */
export async function addressOf(
  watchdesk: Watchdesk,
  { name, path }: Operation,
  place: Place,
  workspace_id: number,
  user_id = FIRST_ADMIN.id,
) {
  const [, parameter] = /\{(\w+)\}/.exec(path) ?? []
  if (!parameter) {
    await NEEDED[name]?.(watchdesk, user_id)
    return path + (QUERIES[name] ?? '')
  }
  const [, , , first = '', second = ''] = path.split('/')
  const isInBin = first === 'bin'
  const kind = isInBin || first === 'account' ? second : first
  const create = ENTITIES[kind]
  const nowhere = NOWHERE[parameter]
  if (!create || !nowhere) throw new Error(`${name} has an id of a kind that test/helpers/requests.ts lacks`)
  const query = QUERIES[name] ?? ''
  if (place === 'missing') return path.replace(`{${parameter}}`, nowhere) + query
  const isOwn = place === 'own'
  const home = isOwn ? workspace_id : await foreignWorkspace(watchdesk, kind)
  const isForeign = first === 'account' && !isOwn
  const owner = isForeign ? (await insertUser(watchdesk, { workspace_id: home })).id : user_id
  const id = await create(watchdesk, home, owner)
  if (kind === 'users') await TARGETS[name]?.(watchdesk, Number(id))
  // Nobody can delete their own workspace, so there is never one to restore.
  const isDeleted = (isInBin || path.endsWith('/restore')) && !(kind === 'workspaces' && place === 'own')
  if (isDeleted) {
    const whose = kind === 'users' ? sql`, deleted_by_super_admin = false` : sql``
    await sql`update ${sql.table(kind)} set deleted_at = now() ${whose} where id = ${id}`.execute(watchdesk.database.db)
  }
  return path.replace(`{${parameter}}`, String(id)) + query
}
