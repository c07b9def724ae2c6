import { errorText } from '@watchdesk/contract/errors'
import type { BulkChanged, BulkPreview } from '@watchdesk/contract/operations/changes'
import { WORKSPACE_DEFAULTS } from '@watchdesk/contract/workspace-settings'
import type { WorkspaceBody } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertUser, openSession, openToken } from './helpers/people.ts'
import { type Caller, QUOTAS, useWatchdesk } from './helpers/watchdesk.ts'

/** Every change that can be made to one record and to many is tried both ways, by the same people, on twins. */
const watchdesk = useWatchdesk()

const SUBJECTS = {
  'a user': {},
  'a workspace admin': { is_admin: true },
  'a super admin': { is_super_admin: true },
  'a super admin who is a workspace admin too': { is_admin: true, is_super_admin: true },
  'an auditor': { is_auditor: true },
  themselves: { is_super_admin: true },
  'themselves, as a workspace admin too': { is_admin: true, is_super_admin: true },
}

const CHANGES = [
  { action: 'delete' },
  { action: 'unlock' },
  ...[
    { type: 'MODERATOR' },
    { type: 'STANDARD' },
    { language: 'UK' },
    { is_admin: true },
    { is_admin: false },
    { is_super_admin: true },
    { is_super_admin: false },
    { is_admin: false, is_super_admin: false },
    { workspace_id: 'another' },
    { workspace_id: 'deactivated' },
    { workspace_id: 2_000_000_000 },
  ].map((set) => ({ action: 'update', set })),
]

const SIGN_INS = ['a recent sign-in', 'an old sign-in']
/** The age of a sign-in matters for those who see everything, and for whom becomes one of them. */
const isTried = (subject: string, signIn: string) =>
  signIn === 'a recent sign-in' || /^(a user|.*(super admin|auditor))$/.test(subject)
/** Together with others, nobody moves their own account: its page asks for more. */
const NOT_WITH_OTHERS = 'You cannot move your own account together with others. Edit it on its own page.'

const isSelf = (subject: string) => subject.startsWith('themselves')
const cases = Object.keys(SUBJECTS).flatMap((subject) =>
  CHANGES.flatMap((change) => SIGN_INS.map((signIn) => [subject, JSON.stringify(change), signIn, change] as const)),
)

test.each(
  cases.filter(([subject, , signIn]) => isSelf(subject) !== (signIn === 'an old sign-in') && isTried(subject, signIn)),
)('%s: %s, after %s, has one answer and one effect, alone and among many', async (subject, _, signIn, change) => {
  const [alone, among] = [await twin(subject, signIn), await twin(subject, signIn)]
  const wanted = (await setOf(change)) as { action: string; set?: object }
  const single = await changeOne(alone, wanted)
  const many = await changeMany(among, 'users', wanted)
  if (many.text === NOT_WITH_OTHERS) return expect(isSelf(subject)).toBe(true)
  expect(many).toEqual(single)
  expect(await stateOf(among.id)).toEqual(await stateOf(alone.id))
})

const others = Object.keys(SUBJECTS).filter((subject) => !isSelf(subject))

test.each(CHANGES.map((change) => [JSON.stringify(change), change] as const))(
  '%s, after a recent sign-in, has the effect on each of many users that it has alone',
  async (_, change) => {
    const twins = () => Promise.all(others.map((subject) => twin(subject, 'a recent sign-in')))
    const [alone, among] = [await twins(), await twins()]
    const wanted = (await setOf(change)) as { action: string; set?: object }
    const answers = await Promise.all(alone.map((each) => changeOne(each, wanted)))
    const { call, ids } = { call: among[0]?.call ?? watchdesk.admin, ids: among.map(({ id }) => id) }
    const preview = await call<BulkPreview>('POST', '/api/v1/users/change/preview', { ...wanted, ids })
    const refused = preview.body.refused?.flatMap(({ reason, examples }) => examples.map(({ id }) => ({ id, reason })))
    const expected = { expected_count: ids.length, expected_changed_count: preview.body.changed_count ?? 0 }
    const done = await call<BulkChanged>('POST', '/api/v1/users/change', { ...wanted, ids, ...expected })
    for (const [place, { id }] of among.entries()) {
      const reason = refused?.find((each) => each.id === id)?.reason
      expect(reason === undefined ? answerOf(done) : { isDone: false, text: reason }).toEqual(answers[place])
      expect(await stateOf(id), others[place]).toEqual(await stateOf(alone[place]?.id ?? 0))
    }
  },
)

type Twin = { id: number; call: Caller }

async function twin(subject: string, signIn: string): Promise<Twin> {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  const account = SUBJECTS[subject as keyof typeof SUBJECTS]
  const { id, email } = await insertUser(watchdesk, { workspace_id, ...account })
  await openToken(watchdesk, id)
  await sql`insert into failed_sign_ins (email_hash, network, failures, pending, changed_at, user_id)
    values (sha256(lower(${email})::bytea), '10.0.0.0', 10, 0, now(), ${id})`.execute(watchdesk.database.db)
  const own = await openSession(watchdesk, id)
  const admin = isSelf(subject) ? { id } : await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })
  const call = isSelf(subject) ? own : await openSession(watchdesk, admin.id)
  if (signIn === 'an old sign-in')
    await sql`update sessions set proved_at = now() - interval '16 minutes' where user_id = ${admin.id}`.execute(
      watchdesk.database.db,
    )
  return { id, call }
}

async function setOf(change: (typeof CHANGES)[number]) {
  if (!('set' in change) || !('workspace_id' in change.set)) return change
  const { workspace_id } = change.set
  if (typeof workspace_id === 'number') return change
  const status = workspace_id === 'deactivated' ? 'DEACTIVATED' : null
  return { ...change, set: { workspace_id: (await watchdesk.createWorkspace({ status })).id } }
}

async function changeOne({ id, call }: Twin, { action, set }: { action: string; set?: object }) {
  const url = `/api/v1/users/${id}`
  if (action === 'delete') return answerOf(await call('DELETE', url))
  return answerOf(action === 'unlock' ? await call('POST', `${url}/unlock`) : await call('PATCH', url, set))
}

/** The preview has to say what the change then does. */
async function changeMany({ id, call }: Twin, records: string, wanted: object) {
  const url = `/api/v1/${records}/change`
  const preview = await call<BulkPreview>('POST', `${url}/preview`, { ...wanted, ids: [id] })
  if (preview.status !== 200) return answerOf(preview)
  const { changed_count, refused } = preview.body
  const expected = { expected_count: 1, expected_changed_count: changed_count }
  const done = await call<BulkChanged>('POST', url, { ...wanted, ids: [id], ...expected })
  if (done.status === 200)
    expect([done.body.changed_count, done.body.refused_count]).toEqual([changed_count, refused.length])
  return refused[0] ? { isDone: false, text: refused[0].reason } : answerOf(done)
}

function answerOf({ status, body }: { status: number; body: unknown }) {
  return status < 300 ? { isDone: true } : { isDone: false, text: errorText(body)?.replace(/^[a-z_]+: /, '') }
}

async function stateOf(id: number) {
  const { rows } =
    await sql<object>`select type, language, is_admin, is_super_admin, is_auditor, version, updated_by = id as by_self,
      deleted_at is not null as is_deleted, deleted_by_super_admin, (select status from workspaces where id = workspace_id) as home,
      (select count(*) from sessions where user_id = users.id) as sessions,
      (select count(*) from api_tokens where user_id = users.id) as tokens,
      (select count(*) from failed_sign_ins where user_id = users.id) as failures,
      array(select kind from account_notices where user_id = users.id order by id) as notices,
      array(select action from audit_events where entity = 'user' and entity_id = users.id order by id) as events
    from users where id = ${id}`.execute(watchdesk.database.db)
  return rows
}

const WORKSPACES: Record<string, Partial<WorkspaceBody>> = {
  'a workspace': {},
  'a trial that is over': { status: 'TRIAL', trial_end_date: '2024-01-31T00:00:00' },
  'a workspace with a super admin': {},
  'a deactivated workspace with a super admin': { status: 'DEACTIVATED' },
  'their own workspace': {},
}

const WORKSPACE_CHANGES = [
  { action: 'delete' },
  ...[
    { status: 'DEACTIVATED' },
    { status: 'PAID_CLIENT' },
    { status: null },
    { status: 'TRIAL', trial_end_date: '2099-01-31T00:00:00' },
  ].map((set) => ({ action: 'update', set })),
]

test.each(
  Object.keys(WORKSPACES).flatMap((subject) =>
    WORKSPACE_CHANGES.flatMap((change) =>
      SIGN_INS.filter((signIn) => isTried(subject, signIn)).map(
        (signIn) => [subject, JSON.stringify(change), signIn, change] as const,
      ),
    ),
  ),
)('%s: %s, after %s, has one answer and one effect, alone and among many', async (subject, _, signIn, change) => {
  const [alone, among] = [await workspaceTwin(subject, signIn), await workspaceTwin(subject, signIn)]
  const single =
    'set' in change
      ? await alone.call('PUT', `/api/v1/workspaces/${alone.id}`, { ...alone.body, ...change.set })
      : await alone.call('DELETE', `/api/v1/workspaces/${alone.id}`)
  expect(await changeMany(among, 'workspaces', change)).toEqual(answerOf(single))
  expect(await workspaceStateOf(among.id)).toEqual(await workspaceStateOf(alone.id))
})

async function workspaceTwin(subject: string, signIn: string) {
  const body = { ...WORKSPACE_DEFAULTS, ...QUOTAS, name: 'Twin', ...WORKSPACES[subject] }
  const { id } = await watchdesk.createWorkspace(body)
  const isOwn = subject.startsWith('their own')
  const actor = await insertUser(watchdesk, { workspace_id: isOwn ? id : 1, is_super_admin: true })
  const call = await openSession(watchdesk, actor.id)
  const user = await insertUser(watchdesk, { workspace_id: id, is_super_admin: subject.endsWith('super admin') })
  await openSession(watchdesk, user.id)
  await openToken(watchdesk, user.id)
  if (signIn === 'an old sign-in')
    await sql`update sessions set proved_at = now() - interval '16 minutes' where user_id = ${actor.id}`.execute(
      watchdesk.database.db,
    )
  return { id, call, body }
}

async function workspaceStateOf(id: number) {
  const { rows } = await sql<object>`select status, trial_end_date::text, version, deleted_at is not null as is_deleted,
      array(select json_build_object('is_deleted', deleted_at is not null, 'with', deleted_with_workspace, 'version', version,
        'sessions', (select count(*) from sessions where user_id = users.id),
        'tokens', (select count(*) from api_tokens where user_id = users.id))
        from users where workspace_id = workspaces.id order by id) as users,
      array(select action from audit_events where entity = 'workspace' and entity_id = workspaces.id order by id) as events
    from workspaces where id = ${id}`.execute(watchdesk.database.db)
  return rows
}
