import { SPREADSHEETS_ADDRESS } from '@watchdesk/contract/source-import'
import type { Db } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { localSheetId, localSheets } from './local.ts'
import { SheetError, type Sheets } from './sheets.ts'

type Settings = Pick<Env, 'PUBLIC_URL' | 'GOOGLE_APPLICATION_CREDENTIALS'>

/** New sheets are made at Google where there are credentials, otherwise here; both kinds are read, by their reference. */
export function createSheets(db: Db, env: Settings): Sheets {
  const local = localSheets(db, env.PUBLIC_URL)
  return {
    serviceAccount: null,
    create: local.create,
    async read(reference, signal) {
      const written = reference.trim()
      const id = localSheetId(written, env.PUBLIC_URL)
      if (id !== undefined) return local.read(id, signal)
      throw new SheetError(`${written} names no sheet. Give an address that starts with ${SPREADSHEETS_ADDRESS}`)
    },
  }
}
