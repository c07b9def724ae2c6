import type { AuditEvent } from '@watchdesk/contract/activity'
import type { CurrentUser } from '@watchdesk/contract/auth/session'
import { expect, test } from 'vitest'
import { openSession } from '../../../test/helpers/people.ts'
import { mailSettings } from '../../../test/helpers/smtp.ts'
import { PASSWORD, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { createLink } from './links/store.ts'

const watchdesk = useWatchdesk(mailSettings())
const query = (text: string, values: unknown[] = []) => watchdesk.database.pool.query(text, values)

async function noticesOf({ id }: { id: number }) {
  const call = await openSession(watchdesk, id)
  const { notices = [] } = (await call<CurrentUser>('GET', '/api/v1/users/me')).body
  return notices.map(({ kind, by }) => [kind, by])
}

/** Mails without a link, with the address that they wait for. */
async function mailsOf({ id }: { id: number }) {
  const { rows } = await query(
    `select kind, email from mails where (data ->> 'user_id')::int = $1 and kind not in ('invitation', 'new_password')`,
    [id],
  )
  return rows.map(({ kind, email }) => [kind, email])
}

/** As the sender of mails creates it, and somebody uses it. */
async function chooseByLink(user_id: number, kind: 'invitation' | 'password' | 'forgotten', created_by: number | null) {
  const { token } = await watchdesk.database.db
    .transaction()
    .execute((trx) => createLink(trx, { user_id, kind, created_by }))
  const url = '/api/v1/login/link/password'
  expect((await watchdesk.anonymous('POST', url, { token, password: PASSWORD })).status).toBe(204)
}

test('a password that was chosen with a link of an admin is noticed, with a link of their own by mail alone', async () => {
  const user = await watchdesk.createUser({ is_admin: true })
  await chooseByLink(user.id, 'forgotten', null)
  expect(await noticesOf(user)).toEqual([])
  expect(await mailsOf(user)).toEqual([['own_password', user.email]])
  await query('delete from mails')
  await chooseByLink(user.id, 'password', 1)
  expect(await noticesOf(user)).toEqual([['password_link_used', 'Super Admin']])
  expect(await mailsOf(user)).toEqual([['password_link_used', user.email]])
})

test('an invitation that was used is noticed by users who sign in without a password, and no news to new users', async () => {
  const user = await watchdesk.createUser({ is_admin: true })
  await query('update users set has_password = false where id = $1', [user.id])
  await chooseByLink(user.id, 'invitation', 1)
  expect(await noticesOf(user)).toEqual([])
  // Such as through single sign-on.
  await query('insert into sign_ins (user_id) values ($1)', [user.id])
  await chooseByLink(user.id, 'invitation', 1)
  expect(await noticesOf(user)).toEqual([['password_link_used', 'Super Admin']])
  expect(await mailsOf(user)).toEqual([['password_link_used', user.email]])
})

test('a user who is restored with another email is notified, at the former one too', async () => {
  const user = await watchdesk.createUser({ is_admin: true })
  await watchdesk.admin('DELETE', `/api/v1/users/${user.id}`)
  await watchdesk.admin('POST', `/api/v1/users/${user.id}/restore`, { email: `again.${user.email}` })
  expect(await noticesOf(user)).toEqual([['email_changed', 'Super Admin']])
  expect(await mailsOf(user)).toEqual([['email_changed', user.email]])
})

test('a restored user whose former email belongs to somebody else by now is notified in the console alone', async () => {
  const user = await watchdesk.createUser({ is_admin: true })
  await watchdesk.admin('DELETE', `/api/v1/users/${user.id}`)
  await watchdesk.createUser({ email: user.email.toUpperCase() })
  await watchdesk.admin('POST', `/api/v1/users/${user.id}/restore`, { email: `again.${user.email}` })
  expect(await noticesOf(user)).toEqual([['email_changed', 'Super Admin']])
  expect(await mailsOf(user)).toEqual([])
})

test('users of a restored workspace are notified if they got another email', async () => {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  const changed = await watchdesk.createUser({ workspace_id, is_admin: true })
  const same = await watchdesk.createUser({ workspace_id, is_admin: true })
  await watchdesk.admin('DELETE', `/api/v1/workspaces/${workspace_id}`)
  const emails = [
    { id: changed.id, email: `again.${changed.email}` },
    { id: same.id, email: same.email },
  ]
  expect((await watchdesk.admin('POST', `/api/v1/workspaces/${workspace_id}/restore`, { emails })).status).toBe(200)
  expect(await noticesOf(changed)).toEqual([['email_changed', 'Super Admin']])
  expect(await mailsOf(changed)).toEqual([['email_changed', changed.email]])
  expect([await noticesOf(same), await mailsOf(same)]).toEqual([[], []])
})

test('many users who are signed out at once are notified, and see it among their security events', async () => {
  const [signedIn, away] = [await watchdesk.createUser({ is_admin: true }), await watchdesk.createUser({})]
  for (let n = 0; n < 2; n += 1) await openSession(watchdesk, signedIn.id)
  const changed = await watchdesk.admin('POST', '/api/v1/users/change', {
    action: 'end_sessions',
    ids: [signedIn.id, away.id],
    expected_count: 2,
    expected_changed_count: 1,
  })
  expect(changed.status).toBe(200)
  expect(await noticesOf(signedIn)).toEqual([['sessions_ended', 'Super Admin']])
  expect(await mailsOf(signedIn)).toEqual([['sessions_ended', signedIn.email]])
  const call = await openSession(watchdesk, signedIn.id)
  const { objects } = (await call<{ objects: AuditEvent[] }>('GET', '/api/v1/account/events')).body
  expect(objects[0]).toMatchObject({ action: 'end_sessions', changes: { sessions: { before: 2, after: 0 } } })
  const { rows } = await query('select from account_notices where user_id = $1', [away.id])
  expect([rows, await mailsOf(away)]).toEqual([[], []])
})
