import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { expect, test } from 'vitest'
import { afterWaiting } from '../../../test/helpers/locks.ts'
import { insertSource } from '../../../test/helpers/sources.ts'
import { ADMIN, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

function importSource(source_url: string) {
  const body = { email: ADMIN.email, sheet_url: null, sheet_records: [{ source_url }] }
  return watchdesk.admin<SourceImportResult>('POST', '/api/v1/source_import/sources', body)
}

test('a source that is removed for good while it is imported is added again', async () => {
  const { pool } = watchdesk.database
  const { id, url } = await insertSource(watchdesk, { deleted_at: '2026-01-01T00:00:00Z' })
  const [imported] = await afterWaiting(pool, `delete from sources where id = ${id}`, () => importSource(url))
  expect(imported?.body.outcomes).toEqual({ requested: 1 })
  const { rows } = await pool.query('select deleted_at from sources where url = $1', [url])
  expect(rows).toEqual([{ deleted_at: null }])
})
