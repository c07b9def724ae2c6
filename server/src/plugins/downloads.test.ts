import type { AuditPage } from '@watchdesk/contract/activity'
import { beforeAll, expect, test } from 'vitest'
import { type Caller, useWatchdesk } from '../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk({}, { isListening: true })
const ROWS = 3_000

let other: Caller

beforeAll(async () => {
  await watchdesk.createUser({ email: 'other@example.com', is_super_admin: true })
  other = await watchdesk.signIn('other@example.com')
  await watchdesk.database.pool.query(
    `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
    select 1, 'Many', 'Person', 'many' || n || '@example.com', '-', false, false, 'STANDARD', ''
    from generate_series(1, $1) n`,
    [ROWS],
  )
})

async function download(call: Caller, format = 'csv', columns = 'email') {
  const { status, body } = await call<string>('GET', `/api/v1/users/file?format=${format}&columns=${columns}`)
  return { status, lines: body.split('\r\n').length }
}

/** A download is recorded when it begins to read; equal ones are recorded once. */
async function recorded() {
  return (await watchdesk.admin<AuditPage>('GET', '/api/v1/audit/?entity=users&action=download')).body.objects.length
}

test('while a part of one download is read, all other downloads wait, and none of them is rejected or cut off', async () => {
  const { downloadParts } = watchdesk.deps.semaphores
  const release = await downloadParts.acquire()
  const all = Promise.all(Array.from({ length: 15 }, () => download(watchdesk.admin)))
  // Other calls do not wait for downloads.
  expect((await watchdesk.admin('GET', '/api/v1/users/?search=many1')).status).toBe(200)
  expect(await recorded()).toBe(0)
  release()
  expect(new Set((await all).map(({ status, lines }) => `${status} ${lines > ROWS}`))).toEqual(new Set(['200 true']))
  expect(await recorded()).toBe(1)
  expect(downloadParts.active).toBe(0)
})

test('many downloads of one user do not delay the download of another user', async () => {
  const { downloadParts } = watchdesk.deps.semaphores
  const release = await downloadParts.acquire()
  const finished: string[] = []
  const many = Array.from({ length: 10 }, () => download(watchdesk.admin).then(() => finished.push('many')))
  const one = download(other).then(() => finished.push('one'))
  release()
  await Promise.all([...many, one])
  expect(finished[0]).toBe('one')
})

test('a download whose client leaves while it waits reads nothing', async () => {
  const { downloadParts } = watchdesk.deps.semaphores
  const release = await downloadParts.acquire()
  const closed = new Promise((resolve) => {
    watchdesk.app.server.once('request', (_request, response) => response.once('close', resolve))
  })
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${watchdesk.admin.token}` }
  const left = fetch(`${watchdesk.url}/api/v1/users/file?format=csv&columns=language`, {
    headers,
    signal: leaving.signal,
  })
  await watchdesk.admin('GET', '/api/v1/users/?search=many1')
  leaving.abort()
  await expect(left).rejects.toThrow()
  await closed
  release()
  await download(watchdesk.admin, 'csv', 'type')
  const { body } = await watchdesk.admin<AuditPage>('GET', '/api/v1/audit/?entity=users&action=download')
  const columns = body.objects.map(({ changes }) => String(changes.columns?.after))
  expect(columns).toContain('type')
  expect(columns).not.toContain('language')
})
