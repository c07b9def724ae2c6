import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Session } from '@watchdesk/contract/auth/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { readEnv } from '../../src/env.ts'
import { makeDataDir } from '../helpers/data-dir.ts'
import { formOf } from '../helpers/form.ts'
import { type Replica, startBuilt } from '../helpers/replica.ts'
import { ADMIN } from '../helpers/watchdesk.ts'

/** `npm run crash` runs 300. */
const ROUNDS = Number(process.env.CRASH_RUNS ?? 4)
const ROWS = 3000

const { dir: DATA_DIR, remove: removeDataDir } = makeDataDir()
let server: Replica
let token: string

beforeAll(async () => {
  server = await start()
  const response = await post('/api/v1/login', JSON.stringify(ADMIN), {})
  token = ((await response.json()) as Session).access_token
})

afterAll(async () => {
  await server.stop()
  removeDataDir()
})

const start = () => startBuilt({ DATA_DIR, LOG_LEVEL: 'error', BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password })

async function kill({ withDatabase }: { withDatabase: boolean }) {
  if (withDatabase)
    process.kill(Number(readFileSync(join(DATA_DIR, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  await server.stop('SIGKILL')
}

function post(path: string, body: string | FormData, headers: Record<string, string>) {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : undefined
  return fetch(server.url + path, { method: 'POST', body, headers: { ...type, ...headers } })
}

const lines = (make: (row: number) => string) => Array.from({ length: ROWS }, (_, row) => make(row))

function storiesForm(round: number, first: number, remove: boolean) {
  const rows = lines((row) => `${first + (row % 3)},m-${round}-${row},round-${round} row ${row},0.5`)
  const text = ['narrative_id,message_composite_id,story,sentiment_score', ...rows].join('\n')
  return formOf('stories.csv', text, { delete_existing_stories: String(remove) })
}

/** A request, and the numbers of rows per round allowed before and after it. */
const KINDS = {
  'stories that replace others': {
    path: '/api/v1/stories-import/from-file',
    body: (round: number) => storiesForm(round, 1, true),
    found: `select split_part(story, ' ', 1) as round, count(*) as count from stories where narrative_id <= 3 and deleted_at is null group by 1`,
    replaces: true,
  },
  'stories that join others': {
    path: '/api/v1/stories-import/from-file',
    body: (round: number) => storiesForm(round, 11, false),
    found: `select split_part(story, ' ', 1) as round, count(*) as count from stories where narrative_id > 3 and deleted_at is null group by 1`,
    replaces: false,
  },
  sources: {
    path: '/api/v1/source_import/sources',
    body: (round: number) => {
      const sheet_records = lines((row) => `https://t.me/round-${round}/x${row}`).map((source_url) => ({ source_url }))
      return JSON.stringify({ email: ADMIN.email, sheet_url: null, sheet_records })
    },
    found: `select split_part(url, '/', 4) as round, count(*) as count from sources where deleted_at is null group by 1`,
    replaces: false,
  },
}
type Kind = keyof typeof KINDS
const names = Object.keys(KINDS) as Kind[]

/** The number of rows of each round. */
async function found(kind: Kind): Promise<Record<string, number>> {
  const database = await openDatabase(readEnv({ DATA_DIR }), { share: true })
  try {
    const { rows } = await database.pool.query<{ round: string; count: number }>(KINDS[kind].found)
    return Object.fromEntries(rows.map(({ round, count }) => [round, count]))
  } finally {
    await database.close()
  }
}

/** The number of imports in the audit log. */
async function events() {
  const database = await openDatabase(readEnv({ DATA_DIR }), { share: true })
  try {
    const { rows } = await database.pool.query(`select count(*) as count from audit_events where action = 'import'`)
    return rows[0]?.count as number
  } finally {
    await database.close()
  }
}

test(
  `killed ${ROUNDS} times during an import: acknowledged imports are saved, others are saved completely or not at all`,
  async () => {
    const kept = Object.fromEntries(names.map((kind) => [kind, {}])) as Record<Kind, Record<string, number>>
    const lasting = Object.fromEntries(names.map((kind) => [kind, 500])) as Record<Kind, number>
    const seen = { acknowledged: 0, whole: 0, nothing: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      const kind = names[round % names.length] ?? 'sources'
      const { path, body, replaces } = KINDS[kind]
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': `killed-import-${round}` }
      const after = { ...(replaces ? {} : kept[kind]), [`round-${round}`]: ROWS }

      const sent = post(path, body(round), headers).then(
        ({ status }) => status === 200,
        () => false,
      )
      // The first kill is always early: kills that all came too late would prove nothing.
      await wait((round === 0 ? 0.1 : Math.random() * 1.2) * lasting[kind])
      await kill({ withDatabase: round % 5 === 4 })
      const isAcknowledged = await sent
      server = await start()

      const state = await found(kind)
      const isWhole = JSON.stringify(sorted(state)) === JSON.stringify(sorted(after))
      expect(state, `${kind}, round ${round}`).toEqual(isAcknowledged || isWhole ? after : kept[kind])
      seen[isAcknowledged ? 'acknowledged' : isWhole ? 'whole' : 'nothing'] += 1
      expect(uploads()).toEqual([])

      const began = performance.now()
      const again = await post(path, body(round), headers)
      lasting[kind] = performance.now() - began
      expect(again.status, await again.text()).toBe(200)
      expect(await found(kind)).toEqual(after)
      expect(await events()).toBe(round + 1)
      kept[kind] = after
    }
    expect(seen.nothing, JSON.stringify(seen)).toBeGreaterThan(0)
    if (ROUNDS >= 100) console.log(seen)
  },
  60_000 + ROUNDS * 30_000,
)

function uploads() {
  const dir = join(DATA_DIR, 'tmp')
  return existsSync(dir) ? readdirSync(dir) : []
}

function sorted(counts: Record<string, number>) {
  return Object.entries(counts).sort()
}
