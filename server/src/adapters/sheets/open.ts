import { type RawBuilder, sql } from 'kysely'
import { requireOwner } from '../../db/job-rights.ts'
import type { Db, Trx } from '../../db/open.ts'
import { checkRights } from '../../db/rights.ts'
import type { RowBatch } from '../../db/row-sets.ts'
import type { Env } from '../../env.ts'
import { createGoogleSheets } from './google.ts'
import { readServiceAccount } from './google-account.ts'
import type { GoogleSettings } from './google-settings.ts'
import { localSheetId, localSheets } from './local.ts'
import type { Sheets } from './sheets.ts'

const ROWS_AT_ONCE = 500

/** New sheets are created in Google Sheets if there are credentials, otherwise in the database. Both kinds can be read. */
export async function createSheets(db: Db, env: Env, options: Partial<GoogleSettings> = {}): Promise<Sheets> {
  const keyFile = env.GOOGLE_APPLICATION_CREDENTIALS
  const account = keyFile ? await readServiceAccount(keyFile) : undefined
  const settings = { folder: env.GOOGLE_DRIVE_FOLDER, limitBytes: env.UPLOAD_LIMIT_BYTES, ...options }
  const google = createGoogleSheets(account, settings)
  const local = localSheets(db, env.PUBLIC_URL)
  return {
    serviceAccount: account?.email ?? null,
    async create(trx, actor, sheet) {
      if (!google.create) return local.create(trx, actor, sheet)
      // A rollback does not delete a Google spreadsheet, so check before it is created. The owner of a job has no session.
      await (actor.credential === 'job' ? requireOwner(trx, actor.id) : checkRights(trx, actor))
      return google.create(sheet, rowsOf(trx, sheet.rows), actor.email)
    },
    async read(reference, onRows, signal) {
      const written = reference.trim()
      const id = localSheetId(written, env.PUBLIC_URL)
      return id === undefined ? google.read(written, onRows, signal) : local.read(id, onRows, signal)
    },
  }
}

async function* rowsOf(trx: Trx, query: RawBuilder<unknown>): AsyncGenerator<RowBatch> {
  await sql`declare parts no scroll cursor for select cells from (${query}) as wanted order by place`.execute(trx)
  for (;;) {
    const { rows } = await sql<{ cells: string[] }>`fetch ${sql.lit(ROWS_AT_ONCE)} from parts`.execute(trx)
    if (rows.length === 0) break
    yield rows.map(({ cells }) => cells)
  }
  await sql`close parts`.execute(trx)
}
