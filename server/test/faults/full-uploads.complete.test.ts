import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mountDisk } from '../helpers/disk.ts'
import { databaseUrl, type Replica, startBuilt } from '../helpers/replica.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const disk = await mountDisk('4m')
const title = disk ? 'a small disk' : 'a small disk (skipped: no tmpfs can be mounted; run it as root)'

describe.skipIf(!disk)(`${title} with the database elsewhere`, () => {
  const { dir, seenAs, prefix } = disk ?? { dir: '', seenAs: '', prefix: [] }
  let replica: Replica | undefined
  let sheet = 0

  beforeAll(async () => {
    const { pool } = watchdesk.database
    const { rows } = await pool.query(
      `insert into sheets (title, header, row_count, rows_id, created_by, updated_by)
        values ('Large', array['source_url'], 10000, 1, 1, 1) returning id`,
    )
    sheet = rows[0].id
    await pool.query(
      `insert into set_rows (set_id, number, cells)
        select 1, n, array['https://t.me/c' || n || repeat('x', 1000)] from generate_series(1, 10000) as n`,
    )
    replica = await startBuilt(
      { DATABASE_URL: databaseUrl(watchdesk.database), DATA_DIR: dir, LOG_LEVEL: 'silent' },
      [],
      prefix,
    )
  })
  afterAll(async () => {
    await replica?.stop()
    disk?.unmount()
  })

  async function post(path: string, body: object) {
    const response = await fetch(`${replica?.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${watchdesk.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, body: await response.json() }
  }

  test('that has no free space for the rows of a sheet fails with an error, and is empty afterwards', async () => {
    const config = await watchdesk.admin('PATCH', '/api/v1/config/website_config', { sources_sheet_vk: String(sheet) })
    expect(config.status).toBe(200)
    const full = {
      status: 503,
      retryAfter: '60',
      body: { detail: expect.stringMatching(/^The server does not have enough free disk space for the file/) },
    }
    expect(await post('/source_management/import', { platform: 'VK', type: 'import' })).toEqual(full)
    expect(readdirSync(join(seenAs, 'tmp'))).toEqual([])
  })
})
