import type { OpenedLink } from '@watchdesk/contract/auth/links'
import type { CurrentUser } from '@watchdesk/contract/auth/session'
import type { NewToken } from '@watchdesk/contract/auth/tokens'
import type { CreatedUser, Invitation } from '@watchdesk/contract/users'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { waitForLocks } from '../../../../test/helpers/locks.ts'
import { addAuthenticator } from '../../../../test/helpers/second-factors.ts'
import { mailSettings, startMails, tokenIn } from '../../../../test/helpers/smtp.ts'
import { type Smtp, startSmtp } from '../../../../test/helpers/smtp-server.ts'
import { type CreationOptions, softPasskey } from '../../../../test/helpers/soft-passkey.ts'
import { PASSWORD, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { endLinks } from '../../../db/mail-queue.ts'

const watchdesk = useWatchdesk(mailSettings())
const query = (text: string, values: unknown[] = []) => watchdesk.database.pool.query(text, values)
const waiting = async () => (await query('select kind, email, data, tries from mails order by id')).rows
const forget = (email: string) => watchdesk.anonymous('POST', '/api/v1/login/forgotten_password', { email })
/** The time of the next attempt has come, and leases of killed servers have expired. */
const later = () =>
  query(`update mails set send_at = now() - interval '1 hour', leased_until = leased_until - interval '1 hour'
    where send_at <> 'infinity'`)

let smtp: Smtp
beforeAll(async () => {
  smtp = await startSmtp()
})
afterAll(() => smtp.stop())
beforeEach(async () => {
  await query('delete from mails')
  smtp.received.length = 0
  smtp.behaviour = 'accept'
})

let serial = 0
async function invite(names: { first_name?: string; last_name?: string } = {}) {
  serial += 1
  const user = { first_name: 'Olena', last_name: 'Kovalenko', ...names }
  const body = { ...user, email: `Invited${serial}@Example.com`, workspace_id: 1, is_admin: true, invite: true }
  const response = await watchdesk.admin<CreatedUser>('POST', '/api/v1/users/', body)
  expect(response.status).toBe(201)
  return response.body
}

test('an invitation is mailed in plain text and HTML, and its link lets the user choose a password and sign in', async () => {
  const user = await invite({ first_name: '<b>Олена</b>' })
  expect(user.invitation).toMatchObject({ link: null, sent_to: user.email })
  startMails(watchdesk, smtp)
  await expect.poll(() => smtp.received.length).toBe(1)
  const [mail] = smtp.received
  expect(mail).toMatchObject({ from: 'desk@example.com', to: [user.email.toLowerCase()] })
  expect(mail?.subject).toBe('Your Watchdesk account')
  expect(mail?.text).toContain('Hello <b>Олена</b>,')
  expect(mail?.text).toContain('Super Admin created a Watchdesk account for you.')
  expect(mail?.html).toContain('Hello &lt;b&gt;Олена&lt;/b&gt;,')
  const token = tokenIn(mail)
  expect(mail?.text).toContain(`Choose a password:\nhttps://desk.example.com/set_password#${token}\n`)
  expect(mail?.html).toContain(`<a href="https://desk.example.com/set_password#${token}">Choose a password</a>`)
  expect(mail?.html).not.toMatch(/src=|url\(|<link|<script|<img/i)
  await expect.poll(waiting).toEqual([])
  const chosen = await watchdesk.anonymous('POST', '/api/v1/login/link/password', { token, password: PASSWORD })
  expect(chosen.status).toBe(204)
  await watchdesk.signIn(user.email)
})

test('names cannot add headers, recipients or paragraphs', async () => {
  await query(
    `update users set first_name = E'Eve\r\nBcc: all@example.com\r\n\r\nPay now', last_name = 'X' where id = $1`,
    [(await invite()).id],
  )
  startMails(watchdesk, smtp)
  await expect.poll(() => smtp.received.length).toBe(1)
  const [mail] = smtp.received
  expect(mail?.to).toHaveLength(1)
  expect(mail?.raw).not.toMatch(/^Bcc:/im)
  expect(mail?.text).toContain('Hello Eve Bcc: all@example.com Pay now,')
})

test('what waits holds no secret, and a link exists only once its mail is sent', async () => {
  const user = await invite()
  expect(await waiting()).toEqual([
    {
      kind: 'invitation',
      email: user.email.toLowerCase(),
      data: { user_id: user.id, created_by: 1, by: 'Super Admin' },
      tries: 0,
    },
  ])
  expect((await query('select from one_time_links where user_id = $1', [user.id])).rowCount).toBe(0)
})

test('a mail waits for a mail server that cannot be reached, longer after each attempt, and for at most a day', async () => {
  const user = await invite()
  const closed = await startSmtp()
  await closed.stop()
  const { log, wake } = startMails(watchdesk, closed)
  const minutes = []
  for (let tries = 1; tries <= 5; tries += 1) {
    await expect.poll(() => log.length).toBe(tries)
    const { rows } = await query(`select round(extract(epoch from send_at - now()) / 60)::int as minutes from mails`)
    minutes.push(rows[0].minutes)
    await later()
    wake()
  }
  expect(minutes).toEqual([1, 5, 15, 60, 60])
  expect(log[0]?.message).toBe('A mail could not be sent. It is tried again')
  await expect.poll(() => log.length).toBe(6)
  await query(`update mails set created_at = now() - interval '25 hours'`)
  await later()
  wake()
  await expect.poll(waiting).toEqual([])
  await expect.poll(() => log.at(-1)?.message).toBe('A mail could not be sent')
  expect(JSON.stringify(log)).not.toContain(user.email.toLowerCase())
})

test.each([421, 451, 554])(
  'a mail that is answered with %i is sent by a later attempt, with a new link',
  async (status) => {
    const user = await invite()
    smtp.behaviour = status
    const arrived = smtp.next()
    const { log, wake } = startMails(watchdesk, smtp)
    await arrived
    await expect.poll(() => log.length).toBe(1)
    smtp.behaviour = 'accept'
    await later()
    wake()
    await expect.poll(() => smtp.received.length).toBe(1)
    const opened = await watchdesk.anonymous('POST', '/api/v1/login/link', { token: tokenIn(smtp.received[0]) })
    expect([opened.status, opened.body.email]).toEqual([200, user.email])
    await expect.poll(waiting).toEqual([])
  },
)

test('a mail is sent by a later attempt if the mail server refuses the sender, and dropped if it refuses the recipient', async () => {
  await invite()
  smtp.behaviour = { sender: 550 }
  const { log, wake } = startMails(watchdesk, smtp)
  await expect.poll(() => log.length).toBe(1)
  expect(await waiting()).toMatchObject([{ tries: 1 }])
  smtp.behaviour = 'accept'
  await later()
  wake()
  await expect.poll(() => smtp.received.length).toBe(1)
  await expect.poll(waiting).toEqual([])
  smtp.behaviour = { recipient: 550 }
  await invite()
  wake()
  await expect.poll(waiting).toEqual([])
  await expect.poll(() => log.at(-1)).toMatchObject({ message: 'A mail could not be sent', details: { answer: 550 } })
  expect(smtp.received).toHaveLength(1)
})

test.each([
  ['an invitation', invite],
  ['a link for a forgotten password', async () => forget((await watchdesk.createUser({ is_admin: true })).email)],
])('a server that stops or is killed while it sends %s does not lose it', async (_, queue) => {
  await queue()
  smtp.behaviour = 'hang'
  const arrived = smtp.next()
  const stopping = startMails(watchdesk, smtp)
  await arrived
  await stopping.stop()
  expect((await query('select from mails where leased_until is null')).rowCount).toBe(1)
  // As a killed server leaves it.
  await query(`update mails set leased_by = gen_random_uuid(), leased_until = now() + interval '2 minutes'`)
  smtp.behaviour = 'accept'
  const next = startMails(watchdesk, smtp)
  expect(smtp.received).toEqual([])
  await later()
  next.wake()
  await expect.poll(() => smtp.received.length).toBe(1)
})

test('a server that is still sending a mail keeps it', async () => {
  await invite()
  smtp.behaviour = 'hang'
  const arrived = smtp.next()
  startMails(watchdesk, smtp)
  await arrived
  const seconds = async () => {
    const { rows } = await query('select extract(epoch from leased_until - created_at) as seconds from mails')
    return Number(rows[0].seconds)
  }
  const first = await seconds()
  await expect.poll(seconds).toBeGreaterThan(first)
})

test('of several servers, one sends each mail', async () => {
  for (let count = 0; count < 20; count += 1) await invite()
  const runners = [startMails(watchdesk, smtp), startMails(watchdesk, smtp), startMails(watchdesk, smtp)]
  await expect
    .poll(async () => {
      for (const { wake } of runners) wake()
      return (await waiting()).length
    })
    .toBe(0)
  expect(new Set(smtp.received.map(({ to }) => to[0])).size).toBe(20)
  expect(smtp.received).toHaveLength(20)
})

test('no call waits for a mail server that hangs', async () => {
  smtp.behaviour = 'hang'
  const arrived = smtp.next()
  startMails(watchdesk, smtp)
  await invite()
  await arrived
  const started = performance.now()
  const user = await invite()
  expect((await watchdesk.admin<Invitation>('POST', `/api/v1/users/${user.id}/invite`)).status).toBe(200)
  expect((await forget(user.email)).status).toBe(204)
  expect(performance.now() - started).toBeLessThan(10_000)
})

test('a mail that hangs does not hold up those that come after it', async () => {
  smtp.behaviour = 'hang'
  await invite()
  const mails = startMails(watchdesk, smtp)
  await smtp.next()
  smtp.behaviour = 'accept'
  const { email } = await invite()
  mails.wake()
  await expect.poll(() => smtp.received.map(({ to }) => to)).toEqual([[email.toLowerCase()]])
})

test('a forgotten password is mailed to those who have access, and to nobody else', async () => {
  const admin = await watchdesk.createUser({ is_admin: true })
  const plain = await watchdesk.createUser({})
  const deleted = await watchdesk.createUser({ is_admin: true })
  await watchdesk.admin('DELETE', `/api/v1/users/${deleted.id}`)
  for (const email of [plain.email, deleted.email, 'nobody@example.com', admin.email.toUpperCase()])
    expect((await forget(email)).status).toBe(204)
  expect(await waiting()).toHaveLength(4)
  const { wake } = startMails(watchdesk, smtp)
  const done = async () => (await query(`select from mails where send_at = 'infinity'`)).rowCount
  await expect.poll(done).toBe(4)
  expect(smtp.received.map(({ to }) => to)).toEqual([[admin.email]])
  expect(smtp.received[0]?.text).toContain('The link works once, for 60 minutes.')
  const { body } = await watchdesk.admin('GET', `/api/v1/audit/?entity=link&entity_id=${admin.id}`)
  expect(body.objects).toMatchObject([
    { action: 'create', actor: { id: null }, changes: { kind: { after: 'password' } } },
  ])

  // Asked for again within a minute, within 15 minutes of the last link, and later.
  await forget(admin.email)
  expect(await done()).toBe(4)
  for (const [age, mails] of [
    ['14 minutes', 1],
    ['15 minutes', 2],
  ] as const) {
    await query(`update mails set created_at = created_at - interval '61 seconds'`)
    await query('update one_time_links set created_at = now() - $1::interval', [age])
    await forget(admin.email)
    wake()
    await expect.poll(async () => (await query(`select from mails where send_at <> 'infinity'`)).rowCount).toBe(0)
    expect(smtp.received).toHaveLength(mails)
  }
})

test('a link for a forgotten password is mailed next to that of an admin, and ends neither it nor its 72 hours', async () => {
  const user = await invite()
  const { wake } = startMails(watchdesk, smtp)
  await expect.poll(() => smtp.received.length).toBe(1)
  await forget(user.email)
  wake()
  await expect.poll(() => smtp.received.length).toBe(2)
  expect(smtp.received[1]?.text).toContain('The link works once, for 60 minutes.')
  const opened = smtp.received.map((mail) =>
    watchdesk.anonymous<OpenedLink>('POST', '/api/v1/login/link', { token: tokenIn(mail) }),
  )
  const hours = (await Promise.all(opened)).map(({ body }) => (Date.parse(body.expires_at) - Date.now()) / 3_600_000)
  expect(hours.map(Math.round)).toEqual([72, 1])
})

test('a mail for a forgotten password that waits for the mail server is not sent after an admin has created a link', async () => {
  const user = await watchdesk.createUser({ is_admin: true })
  await forget(user.email)
  smtp.behaviour = { sender: 451 }
  const { log, wake } = startMails(watchdesk, smtp)
  await expect.poll(() => log.length).toBe(1)
  expect((await watchdesk.admin('POST', `/api/v1/users/${user.id}/invite`)).status).toBe(200)
  smtp.behaviour = 'accept'
  await later()
  wake()
  await expect.poll(async () => (await query(`select from mails where send_at <> 'infinity'`)).rowCount).toBe(0)
  expect(smtp.received.map(({ text }) => text)).toEqual([expect.stringContaining('Super Admin created a link')])
})

test('nor after a new password, and another one is mailed a minute later at the earliest', async () => {
  const { call, ...user } = await watchdesk.createPerson()
  await forget(user.email.toUpperCase())
  const body = { password: 'another staple 8', current_password: PASSWORD }
  expect((await call('PATCH', `/api/v1/users/${user.id}`, body)).status).toBe(200)
  await forget(user.email)
  const toSend = async () =>
    (await query(`select from mails where kind = 'forgotten_password' and send_at <> 'infinity'`)).rowCount
  expect(await toSend()).toBe(0)
  await query(`update mails set created_at = created_at - interval '61 seconds'`)
  await forget(user.email)
  expect(await toSend()).toBe(1)
})

test('a mail that is being sent while its link ends is not tried again', async () => {
  const user = await watchdesk.createUser({ is_admin: true })
  await forget(user.email)
  smtp.behaviour = 'hang'
  const arrived = smtp.next()
  const { stop } = startMails(watchdesk, smtp)
  await arrived
  await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { password: 'another staple 8' })
  await stop()
  expect((await query('select from one_time_links where user_id = $1', [user.id])).rowCount).toBe(0)
  expect((await query(`select from mails where kind = 'forgotten_password' and send_at <> 'infinity'`)).rowCount).toBe(
    0,
  )
})

test('a mail waits for a change of its user that is under way, and is not sent if that ends its link', async () => {
  const user = await watchdesk.createUser({ is_admin: true })
  await forget(user.email)
  const { db, pool } = watchdesk.database
  const log = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute()
    const mails = startMails(watchdesk, smtp)
    await waitForLocks(pool)
    await endLinks(trx, sql`users.id = ${user.id}`)
    return mails.log
  })
  await expect.poll(async () => (await query('select from mails where leased_until is not null')).rowCount).toBe(0)
  expect((await query('select from one_time_links where user_id = $1', [user.id])).rowCount).toBe(0)
  expect([smtp.received, log]).toEqual([[], []])
})

test('a flood of forgotten passwords does not fill the disk, and what is done makes space', async () => {
  await query(`insert into mails (kind, email, send_at)
    select 'forgotten_password', 'flood' || number || '@example.com', 'infinity' from generate_series(1, 1000) number`)
  expect((await forget('one.more@example.com')).status).toBe(204)
  expect(await waiting()).toHaveLength(1000)
  await query(`update mails set created_at = created_at - interval '61 seconds'`)
  startMails(watchdesk, smtp)
  await expect.poll(async () => (await waiting()).length).toBe(0)
  await forget('one.more@example.com')
  expect(await waiting()).toHaveLength(1)
})

test('a mail with a link is not sent any more after a new password, a new email or a deletion', async () => {
  const [one, other, third] = [await invite(), await invite(), await invite()]
  await watchdesk.admin('PATCH', `/api/v1/users/${one.id}`, { password: PASSWORD })
  await watchdesk.admin('PATCH', `/api/v1/users/${other.id}`, { email: `new.${other.email}` })
  await watchdesk.admin('DELETE', `/api/v1/users/${third.id}`)
  expect((await waiting()).map(({ kind }) => kind)).toEqual(['password_changed', 'email_changed'])
})

test('a user is notified that an admin changed the password and the email: the former address by mail, and in the console', async () => {
  const user = await watchdesk.createUser({ is_admin: true })
  await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, {
    password: 'another staple 8',
    email: 'later@example.com',
  })
  startMails(watchdesk, smtp)
  await expect.poll(() => smtp.received.length).toBe(2)
  expect(smtp.received.map(({ to }) => to)).toEqual([[user.email], [user.email]])
  const texts = smtp.received.map((mail) => mail.text).join('\n')
  expect(texts).toMatch(/Super Admin changed your password on \d+ \w+ \d{4} at \d\d:\d\d UTC\./)
  expect(texts).toContain('Super Admin changed the email of your account on')
  expect(texts).not.toContain('later@example.com')

  const call = await watchdesk.signIn('later@example.com', 'another staple 8')
  const notices = async () => (await call<CurrentUser>('GET', '/api/v1/users/me')).body.notices
  const [id, at] = [expect.any(Number), expect.stringMatching(/^\d{4}-.*Z$/)]
  const shown = await notices()
  expect(shown).toEqual([
    { id, kind: 'email_changed', by: 'Super Admin', at },
    { id, kind: 'password_changed', by: 'Super Admin', at },
  ])
  // One that came later has not been seen yet.
  await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { email: 'last@example.com' })
  expect((await call('DELETE', `/api/v1/account/notices?up_to=${shown?.[0]?.id}`)).status).toBe(204)
  expect(await notices()).toEqual([{ id, kind: 'email_changed', by: 'Super Admin', at }])
})

test('users get a mail about each change of their own sign-in: what, when, from where and what to do, but no secret', async () => {
  const { id, email, call } = await watchdesk.createPerson()
  const { secret } = await addAuthenticator(call)
  const { body } = await call<{ options: CreationOptions }>('POST', '/api/v1/account/passkeys/options')
  const answer = softPasskey().create(body.options, { origin: 'https://desk.example.com' })
  const passkey = await call<{ passkey: { id: number } }>('POST', '/api/v1/account/passkeys/', { name: 'Mine', answer })
  const codes = await call<{ recovery_codes: string[] }>('POST', '/api/v1/account/recovery_codes')
  await call('DELETE', `/api/v1/account/passkeys/${passkey.body.passkey.id}`)
  await call('DELETE', '/api/v1/account/authenticator')
  const token = { name: 'Script', days: 1, is_read_only: true }
  const created = await call<NewToken>('POST', '/api/v1/account/tokens/', token)
  startMails(watchdesk, smtp)
  await expect.poll(waiting).toEqual([])
  const WHAT = [
    ['New authenticator app for Watchdesk', 'An authenticator app was added to your account'],
    ['New passkey for Watchdesk', 'A passkey was added to your account'],
    ['New recovery codes for Watchdesk', 'New recovery codes were created for your account'],
    ['Passkey removed from Watchdesk', 'A passkey was removed from your account'],
    ['Authenticator app removed from Watchdesk', 'The authenticator app was removed from your account'],
    ['New API token for Watchdesk', 'An API token was created for your account'],
  ]
  expect(smtp.received.map(({ subject }) => subject).sort()).toEqual(WHAT.map(([subject]) => subject).sort())
  for (const { subject, to, text, html } of smtp.received) {
    expect(to).toEqual([email])
    const what = WHAT.find(([each]) => each === subject)?.[1]
    const sentence = new RegExp(`${what} on \\d+ \\w+ \\d{4} at \\d\\d:\\d\\d UTC, from the address 127.0.0.1\\.`)
    for (const part of [text, html]) {
      expect(part).toMatch(sentence)
      expect(part).toContain('If this was not you,')
      for (const hidden of [secret, created.body.token, ...codes.body.recovery_codes])
        expect(part).not.toContain(hidden)
    }
  }
  expect((await query('select from account_notices where user_id = $1', [id])).rowCount).toBe(0)
})

test('notices are dismissed up to one of them', async () => {
  const { status, body } = await watchdesk.admin('DELETE', '/api/v1/account/notices')
  expect([status, body]).toMatchObject([422, { detail: expect.anything() }])
})

test('users who change their own password and email get a mail about it at the former address, and no notice', async () => {
  const { call, ...user } = await watchdesk.createPerson()
  const body = { password: 'another staple 8', email: 'my.later@example.com', current_password: PASSWORD }
  expect((await call('PATCH', `/api/v1/users/${user.id}`, body)).status).toBe(200)
  expect((await call<CurrentUser>('GET', '/api/v1/users/me')).body.notices).toEqual([])
  startMails(watchdesk, smtp)
  await expect.poll(() => smtp.received.length).toBe(2)
  expect(smtp.received.map(({ to }) => to)).toEqual([[user.email], [user.email]])
  const texts = smtp.received.map(({ text }) => text).join('\n')
  expect(texts).toMatch(/The password of your account was changed on .* UTC, from the address 127\.0\.0\.1\./)
  expect(texts).toMatch(/The email of your account was changed on .* UTC, from the address 127\.0\.0\.1\./)
  expect(texts).not.toContain('my.later@example.com')
})
