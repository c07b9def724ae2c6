import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from '@watchdesk/contract/auth/session'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mountDisk } from '../helpers/disk.ts'
import { formOf } from '../helpers/form.ts'
import { type Replica, startBuilt } from '../helpers/replica.ts'
import { ADMIN, QUOTAS } from '../helpers/watchdesk.ts'

/** `npm run crash` runs ten. */
const FILLS = Number(process.env.DISK_FILLS ?? 1)
const ROWS = 60_000
const MB = 1_048_576

const disk = await mountDisk('420m')
const title = disk
  ? 'a disk of its own'
  : 'a disk of its own (skipped: no tmpfs can be mounted; run it as root, or allow users to make namespaces)'

describe.skipIf(!disk)(title, () => {
  const { dir, seenAs, prefix } = disk ?? { dir: '', seenAs: '', prefix: [] }
  const filler = join(seenAs, 'filler')
  const settings = { DATA_DIR: dir, LOG_LEVEL: 'silent', BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password }
  let server: Replica
  let isRunning = false
  let token = ''

  beforeAll(async () => {
    await start()
  })
  afterAll(async () => {
    if (isRunning) await stop()
    disk?.unmount()
  })

  async function start() {
    server = await startBuilt(settings, [], prefix)
    isRunning = true
  }

  function stop() {
    isRunning = false
    return server.stop()
  }

  async function post(path: string, body: object) {
    const isForm = body instanceof FormData
    const type = isForm ? undefined : { 'content-type': 'application/json' }
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...type },
      body: isForm ? body : JSON.stringify(body),
    })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: (await response.json()) as object,
    }
  }

  async function signIn() {
    const { status, body } = await post('/api/v1/login', ADMIN)
    token = (body as Session).access_token
    return status
  }

  function importStories(narrative: number) {
    const rows = Array.from({ length: ROWS }, (_, row) => `${narrative},m-${row},Story ${row} ${'x'.repeat(60)},0.5`)
    const text = ['narrative_id,message_composite_id,story,sentiment_score', ...rows].join('\n')
    return post('/api/v1/stories-import/from-file', formOf('stories.csv', text))
  }

  const write = () => post('/api/v1/workspaces/', { name: 'Any', ...QUOTAS })
  const read = async () =>
    (await fetch(`${server.url}/api/v1/users/`, { headers: { authorization: `Bearer ${token}` } })).status

  function leave(bytes: number) {
    rmSync(filler, { force: true })
    const { bavail, bsize } = statfsSync(seenAs)
    execFileSync('fallocate', ['-l', String(bavail * bsize - bytes), filler])
  }

  /** The number of stories per narrative, queried directly in the database. */
  async function kept() {
    const client = new pg.Client({ host: join(seenAs, 'postgres'), user: 'watchdesk', database: 'postgres' })
    await client.connect()
    try {
      const { rows } = await client.query('select narrative_id, count(*)::int as count from stories group by 1')
      return rows.sort((a, b) => a.narrative_id - b.narrative_id)
    } finally {
      await client.end()
    }
  }

  const FULL = {
    status: 503,
    retryAfter: '60',
    body: { detail: expect.stringMatching(/^The disk of the server is full/) },
  }

  test(
    `that fills up ${FILLS} times: writes fail, reads continue, and nothing is lost or partially saved`,
    async () => {
      expect(await signIn()).toBe(200)
      expect((await importStories(1)).status).toBe(200)
      const acknowledged = [1]
      for (let fill = 2; fill <= FILLS + 1; fill += 1) {
        // Enough free disk space for the file, and for part of the import.
        leave(140 * MB)
        const response = await importStories(fill)
        if (response.status === 200) acknowledged.push(fill)
        else expect(response).toEqual(FULL)
        expect(await read()).toBe(200)

        leave(48 * MB)
        await expect.poll(write, { timeout: 10_000 }).toEqual(FULL)
        expect(await importStories(fill)).toEqual(FULL)
        expect([await read(), await signIn()]).toEqual([200, 200])

        // Other processes can fill the disk completely. PostgreSQL may stop then, and restarts by itself.
        leave(0)
        await expect.poll(async () => (await write()).status, { timeout: 10_000 }).toBe(503)

        rmSync(filler)
        await expect.poll(async () => (await write()).status, { timeout: 30_000 }).toBe(201)
      }
      expect(await stop()).toBe(0)
      await start()
      expect(await kept()).toEqual(acknowledged.map((narrative_id) => ({ narrative_id, count: ROWS })))
      if (FILLS >= 10) console.log({ fills: FILLS, imports_that_found_room: acknowledged.length - 1 })
    },
    60_000 + FILLS * 60_000,
  )
})
