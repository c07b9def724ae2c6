import type { CreatedUser, Invitation } from '@watchdesk/contract/users'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mailSettings, startMails } from '../../test/helpers/smtp.ts'
import { type Smtp, startSmtp } from '../../test/helpers/smtp-server.ts'
import { caller, useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { buildApp } from '../app.ts'
import { purge } from '../purge.ts'

const watchdesk = useWatchdesk(mailSettings())
const query = (text: string, values: unknown[] = []) => watchdesk.database.pool.query(text, values)
const queued = async () => (await query('select from mails')).rowCount

let smtp: Smtp
beforeAll(async () => {
  smtp = await startSmtp()
})
afterAll(() => smtp.stop())
beforeEach(async () => {
  await query('truncate mails, mail_limits')
  smtp.received.length = 0
})

const PERSON = { first_name: 'Olena', last_name: 'Koval', workspace_id: 1, is_admin: true }

function create(email: string, call = watchdesk.admin) {
  return call<CreatedUser>('POST', '/api/v1/users/', { ...PERSON, email, invite: true })
}

function inviteAgain(id: number, call = watchdesk.admin) {
  return call<Invitation>('POST', `/api/v1/users/${id}/invite`)
}

/** Another server on the same database. */
async function otherServer() {
  const app = await buildApp(watchdesk.deps)
  return { call: caller(app, watchdesk.admin.token), close: () => app.close() }
}

test('however often users with one mailbox are created, deleted and invited, by two servers, it gets five links', async () => {
  const other = await otherServer()
  const { wake } = startMails(watchdesk, smtp)
  const answers = []
  for (let count = 0; count < 20; count += 1) {
    const call = count % 2 === 0 ? watchdesk.admin : other.call
    const address = count % 3 === 0 ? `Victim+${count}@Example.com` : 'victim@example.com'
    const created = await create(address, call)
    answers.push(created)
    if (created.status !== 201) continue
    answers.push(await inviteAgain(created.body.id, call), await inviteAgain(created.body.id, call))
    wake()
    await expect.poll(queued).toBe(0)
    await call('DELETE', `/api/v1/users/${created.body.id}`)
  }
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(5)
  const refused = answers.at(-1)
  expect([refused?.status, refused?.body]).toEqual([
    429,
    { detail: 'victim@example.com was sent too many links within an hour. Try again in 12 minutes.' },
  ])
  const seconds = Number(refused?.headers['retry-after'])
  expect(seconds).toBeGreaterThan(600)
  expect(seconds).toBeLessThanOrEqual(720)
  expect(smtp.received.length).toBeLessThanOrEqual(5)
  expect((await query(`select from users where email = 'victim@example.com' and deleted_at is null`)).rowCount).toBe(0)

  await query('update mail_limits set used_until = used_until - $1::interval', [`${seconds + 1} seconds`])
  expect([(await create('victim@example.com')).status, (await create('victim+1@example.com')).status]).toEqual([
    201, 429,
  ])
  expect((await create('bystander@example.com')).status).toBe(201)
  await other.close()
})

test('of 20 invitations of one user at once, on two servers, five are sent', async () => {
  const { id } = await watchdesk.createUser({ is_admin: true })
  const other = await otherServer()
  const calls = Array.from({ length: 20 }, (_, index) =>
    inviteAgain(id, index % 2 === 0 ? watchdesk.admin : other.call),
  )
  const answers = await Promise.all(calls)
  // Some of those at once may be refused for other reasons.
  for (let count = 0; count < 6; count += 1) answers.push(await inviteAgain(id))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.at(-1)?.status).toBe(429)
  await other.close()
})

test('an admin sends 5,000 links a day, one by one or in an import, and other admins are not limited by that', async () => {
  const first = await create('first@example.com')
  await query(`update mail_limits set used_until = now() + 4998 * interval '24 hours' / 5000
    where used_until < now() + interval '1 minute'`)
  const rows = [2, 3, 4].map((row) => ({ row, name: 'Ada Winter', email: `ada${row}@sender.example.com` }))
  const add = (count: number) =>
    watchdesk.admin(
      'POST',
      '/api/v1/users/import',
      { workspace_id: 1, invite: true, rows_count: count, rows: rows.slice(0, count) },
      { 'idempotency-key': `sender-limit-${count}` },
    )
  const refused = await add(3)
  expect([refused.status, refused.body.detail]).toEqual([
    429,
    'You sent too many links within a day. Try again in a minute.',
  ])
  expect((await query(`select from users where email like '%@sender.example.com'`)).rowCount).toBe(0)
  expect((await add(2)).status).toBe(200)
  expect((await inviteAgain(first.body.id)).status).toBe(429)
  const { email } = await watchdesk.createUser({ is_super_admin: true })
  expect((await inviteAgain(first.body.id, await watchdesk.signIn(email))).status).toBe(200)
})

test('a forgotten password gets the same response every time, and its mails are limited by mailbox, apart from links of admins', async () => {
  const people = []
  for (let count = 0; count < 8; count += 1)
    people.push(await watchdesk.createUser({ is_admin: true, email: `forgetful+${count}@example.com` }))
  const forget = (email: string) => watchdesk.anonymous('POST', '/api/v1/login/forgotten_password', { email })
  const answers = await Promise.all([...people.map(({ email }) => forget(email)), forget('nobody@example.com')])
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
  const { wake } = startMails(watchdesk, smtp)
  wake()
  await expect.poll(async () => (await query(`select from mails where send_at <> 'infinity'`)).rowCount).toBe(0)
  expect(smtp.received).toHaveLength(5)
  expect((await inviteAgain(people[0]?.id ?? 0)).status).toBe(200)
})

test('of many notices, a mailbox gets ten, and then one of each kind', async () => {
  const { id } = await watchdesk.createUser({ is_admin: true })
  const add = (kind: string) =>
    query(
      `insert into mails (kind, email, data) select $1, 'noticed+' || n || '@example.com', jsonb_build_object('user_id', $2::int)
       from generate_series(1, 15) n`,
      [kind, id],
    )
  await add('sessions_ended')
  await add('own_email')
  await add('own_email')
  startMails(watchdesk, smtp).wake()
  await expect.poll(queued, { timeout: 20_000 }).toBe(0)
  const subjects = smtp.received.map(({ subject }) => subject)
  expect(subjects).toHaveLength(12)
  expect(new Set(subjects.slice(0, 11)).size).toBe(1)
  expect(subjects[11]).not.toBe(subjects[0])
})

test('what no longer limits anything is purged', async () => {
  await create('purged@example.com')
  await query(
    `update mail_limits set used_until = now() - interval '1 second' where used_until > now() + interval '1 minute'`,
  )
  await purge(watchdesk.database.db, watchdesk.deps.env)
  expect((await query('select from mail_limits')).rowCount).toBe(1)
})
