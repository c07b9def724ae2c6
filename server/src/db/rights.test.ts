import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { FORM_TYPE, multipart } from '../../test/helpers/form.ts'
import { waitForLocks } from '../../test/helpers/locks.ts'
import { insertUser, openSession } from '../../test/helpers/people.ts'
import { rawRequest, sendHalf } from '../../test/helpers/raw.ts'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'
import type { Db } from './open.ts'
import { rowsOf } from './read.ts'

const watchdesk = useWatchdesk({}, { isListening: true })

beforeAll(async () => {
  await watchdesk.database.pool.query('insert into narratives (id) values (7)')
  await watchdesk.database.pool.query(
    `insert into sheets (title, header, row_count, rows_id) values ('Held', '{a}', 0, 1)`,
  )
})

async function makeSuperAdmin() {
  const { id, email } = await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })
  return { id, email, call: await openSession(watchdesk, id) }
}

const FILE = 'narrative_id,message_composite_id,story,sentiment_score\n7,TELEGRAM:POST:1,Late,0.5\n'
const form = [
  multipart([{ name: 'file', filename: 'late.csv', content: FILE }]),
  { 'content-type': FORM_TYPE },
] as const

/** What is locked in the middle of the work, and what happens to the person meanwhile. */
const LONG = {
  'stories import': {
    held: 'select from narratives for update',
    begin: ({ call }: Person) => call('POST', '/api/v1/stories-import/from-file', ...form),
    kept: 'select from stories',
    lose: ({ id }: Person) => watchdesk.admin('DELETE', `/api/v1/users/${id}`),
    status: 401,
  },
  'replacement of a sheet': {
    held: 'select from sheets for update',
    begin: ({ call }: Person) => call('PUT', '/api/v1/sheets/1/file', ...form),
    kept: 'select from set_rows',
    lose: async ({ id }: Person) => {
      const { id: workspace_id } = await watchdesk.createWorkspace()
      return watchdesk.admin('PATCH', `/api/v1/users/${id}`, { workspace_id })
    },
    status: 403,
  },
  'source import': {
    held: `insert into sources (platform, url) values ('TELEGRAM', 'https://t.me/held')`,
    begin: ({ call, email }: Person) => {
      const sheet_records = [{ source_url: 'https://t.me/held' }, { source_url: 'https://t.me/late' }]
      return call('POST', '/api/v1/source_import/sources', { email, sheet_url: null, sheet_records })
    },
    kept: `select from sources where url like '%late%'`,
    lose: ({ id }: Person) =>
      watchdesk.admin('PATCH', `/api/v1/users/${id}`, { is_admin: true, is_super_admin: false }),
    status: 403,
  },
}
type Person = Awaited<ReturnType<typeof makeSuperAdmin>>

test.each(Object.entries(LONG))(
  'nobody waits for a %s with taking rights away, and then it is refused',
  async (_, { held, begin, kept, lose, status }) => {
    const { pool } = watchdesk.database
    const person = await makeSuperAdmin()
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query(held)
      const response = begin(person)
      await waitForLocks(pool)
      // While it waits in the middle of its work, this one does not.
      expect((await lose(person)).status).toBeLessThan(300)
      await client.query('rollback')
      expect((await response).status).toBe(status)
      expect((await pool.query(kept)).rowCount).toBe(0)
    } finally {
      client.release()
    }
  },
)

test('two users who edit each other concurrently both succeed', { timeout: 60_000 }, async () => {
  const pair = [await makeSuperAdmin(), await makeSuperAdmin()] as const
  const rename = (by: Person, whom: Person, first_name: string) =>
    by.call('PATCH', `/api/v1/users/${whom.id}`, { first_name })
  for (let round = 0; round < 50; round++) {
    const responses = await Promise.all([
      rename(pair[0], pair[1], `A${round}`),
      rename(pair[1], pair[0], `B${round}`),
      rename(pair[0], pair[1], `C${round}`),
      rename(pair[1], pair[0], `D${round}`),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  }
})

test('a super admin may move to another workspace', async () => {
  const { id, call } = await makeSuperAdmin()
  const { id: workspace_id } = await watchdesk.createWorkspace()
  expect((await call('PATCH', `/api/v1/users/${id}`, { workspace_id })).status).toBe(200)
})

test('the saved response of an earlier call is not returned to a user who has been signed out', async () => {
  const { email, call } = await makeSuperAdmin()
  const sheet_records = [{ source_url: 'https://t.me/repeated' }]
  const body = JSON.stringify({ email, sheet_url: null, sheet_records })
  const headers = [
    `Authorization: Bearer ${call.token}`,
    'Content-Type: application/json',
    'Idempotency-Key: 0f0f0f0f-1111-4222-8333-444444444444',
  ]
  const bytes = rawRequest({ method: 'POST', address: '/api/v1/source_import/sources', headers, body })
  const first = await sendHalf(watchdesk.port, bytes).sendRest()
  expect([first.status, JSON.parse(first.body)]).toEqual([200, expect.objectContaining({ requested_count: 1 })])
  expect((await sendHalf(watchdesk.port, bytes).sendRest()).body).toBe(first.body)

  await watchdesk.database.pool.query(`update sessions set last_seen_at = now() - interval '2 minutes'`)
  const repeated = sendHalf(watchdesk.port, bytes)
  await until(`select from sessions where last_seen_at > now() - interval '1 minute'`)
  await call('POST', '/api/v1/logout')
  const { status, body: refusal } = await repeated.sendRest()
  expect([status, refusal]).toEqual([
    401,
    '{"detail":"You are not signed in, or your session has ended. Sign in again."}',
  ])
})

describe('the database handle of the stores', () => {
  const insert = sql`insert into narratives (id) values (8) returning id`

  test('cannot write', () => {
    const readable: Record<keyof Db, true> = { selectFrom: true }
    expect(Object.keys(readable)).toEqual(['selectFrom'])
  })

  test.each([
    ['an insert', insert],
    ['an insert before a select', sql`with made as (${insert}) select id from made`],
    ['an update', sql`update narratives set created_by = 1 returning id`],
  ])('refuses %s in SQL', async (_, query) => {
    await expect(rowsOf(watchdesk.database.db, query)).rejects.toThrow(/syntax error|top level/)
    const { rows } = await watchdesk.database.pool.query('select id, created_by from narratives')
    expect(rows).toEqual([{ id: 7, created_by: null }])
  })

  /** A sign-in or a command has no session; the health check only tests the connection. */
  const BY_THE_SYSTEM = /^auth\/(session|second-factor|sso|links)\/|^(health\/routes|users\/reset-password)\.ts$/
  /** What runs from time to time, or as a job or run, has no caller. */
  const WITHOUT_A_CALLER =
    /\/(purge|kind|verify|vectorize|follow-airflow|daily-totals|trials|renew-quotas|trials-and-quotas)\.ts$/
  /** Reads vectors as the database has them. */
  const READS_FROM_THE_POOL = 'narratives-vectorization/'

  test('is all that a module gets, but for sign-in', async () => {
    const modules = new URL('../modules/', import.meta.url).pathname
    const found: string[] = []
    for (const file of await readdir(modules, { recursive: true })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts') || BY_THE_SYSTEM.test(file)) continue
      if (WITHOUT_A_CALLER.test(file)) continue
      const source = await readFile(`${modules}${file}`, 'utf8')
      if (/\b(SystemDb|ServerDeps|asSystem|Kysely|Client)\b/.test(source)) found.push(file)
      if (/\bPool\b/.test(source) && !file.startsWith(READS_FROM_THE_POOL)) found.push(file)
    }
    expect(found).toEqual([])
  })
})

async function until(query: string) {
  while ((await watchdesk.database.pool.query(query)).rowCount === 0) await wait(5)
}
