import type { Operation } from '@watchdesk/contract/operations/operations'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { beforeEach, expect, test } from 'vitest'
import { ADMIN, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { createVerify, verifyOperations } from './verify.ts'

const watchdesk = useWatchdesk()
let id: number

/** An import whose server was killed between the commit and the proof, two minutes ago. */
beforeEach(async () => {
  await query('truncate sources, operation_changes')
  await query(`insert into sources (platform, url, deleted_at) values ('TELEGRAM', 'https://t.me/removed', now())`)
  const sheet_records = ['added', 'removed'].map((name) => ({ source_url: `https://t.me/${name}` }))
  const body = { email: ADMIN.email, sheet_url: null, sheet_records }
  const imported = await watchdesk.admin<SourceImportResult>('POST', '/api/v1/source_import/sources', body)
  id = imported.body.import_id ?? 0
  await query(`update operations set verification = null, finished_at = now() - interval '2 minutes' where id = ${id}`)
})

function query(text: string) {
  return watchdesk.database.pool.query(text)
}

async function verified() {
  const { db } = watchdesk.database
  await verifyOperations(
    db,
    createVerify(db, watchdesk.deps.kinds, (error) => expect(error).toBeUndefined()),
  )
  return (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${id}`)).body.verification
}

const edit = (name: string) =>
  query(`update sources set country = 'PL', version = version + 1, content_version = version + 1
    where url = 'https://t.me/${name}'`)

test('an import whose server stopped before the proof is verified later', async () => {
  expect(await verified()).toMatchObject({ expected_count: 2, stored_count: 2, is_equal: true })
})

test.each(['added', 'removed'])('a source that was %s and edited since is not taken for a wrong one', async (name) => {
  await edit(name)
  expect(await verified()).toBeNull()
})

test('a source that differs although nobody changed it is reported', async () => {
  await query(`update sources set country = 'PL' where url = 'https://t.me/added'`)
  expect(await verified()).toMatchObject({ stored_count: 2, is_equal: false })
})

test('a source that is lost is reported, also if another one was edited since', async () => {
  await edit('removed')
  await query(`delete from sources where url = 'https://t.me/added'`)
  expect(await verified()).toMatchObject({ expected_count: 2, stored_count: 1, is_equal: false })
})
