import { requireOwner } from '../../db/job-rights.ts'
import type { Db } from '../../db/open.ts'
import { checkRights } from '../../db/rights.ts'
import type { Env } from '../../env.ts'
import { createGoogleSheets } from './google.ts'
import { readServiceAccount } from './google-account.ts'
import { readSharedSheet } from './google-export.ts'
import type { GoogleSettings } from './google-settings.ts'
import { localSheetId, localSheets } from './local.ts'
import type { Sheets } from './sheets.ts'

type Settings = Pick<
  Env,
  'PUBLIC_URL' | 'GOOGLE_APPLICATION_CREDENTIALS' | 'GOOGLE_DRIVE_FOLDER' | 'UPLOAD_LIMIT_BYTES'
>

/** New sheets are created in Google Sheets if there are credentials, otherwise in the database. Both kinds can be read. */
export async function createSheets(db: Db, env: Settings, options: Partial<GoogleSettings> = {}): Promise<Sheets> {
  const settings = { folder: env.GOOGLE_DRIVE_FOLDER, limitBytes: env.UPLOAD_LIMIT_BYTES, ...options }
  const local = localSheets(db, env.PUBLIC_URL)
  const google = env.GOOGLE_APPLICATION_CREDENTIALS
    ? createGoogleSheets(await readServiceAccount(env.GOOGLE_APPLICATION_CREDENTIALS), settings)
    : undefined
  return {
    serviceAccount: google?.serviceAccount ?? null,
    async create(trx, actor, sheet) {
      if (!google) return local.create(trx, actor, sheet)
      // A rollback does not delete a Google spreadsheet, so check before it is created. The owner of a job has no session.
      await (actor.credential === 'job' ? requireOwner(trx, actor.id) : checkRights(trx, actor))
      return google.create(trx, actor, sheet)
    },
    async read(reference, signal, onRows) {
      const written = reference.trim()
      const id = localSheetId(written, env.PUBLIC_URL)
      if (id !== undefined) return local.read(id, signal, onRows)
      return google ? google.read(written, signal, onRows) : readSharedSheet(written, settings, signal, onRows)
    },
  }
}
