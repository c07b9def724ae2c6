import { withoutTrailingSlashes } from '@watchdesk/contract/text'
import type { Actor } from '../../actor.ts'
import type { Db, Trx } from '../../db/open.ts'
import { copyRows, rowReader } from '../../db/row-sets.ts'
import { type CreatedSheet, type NewSheet, type OnRows, type ReadSheet, SheetError, type Sheets } from './sheets.ts'

/** Sheets that are stored in the database and opened in the console. */
export function localSheets(db: Db, publicUrl = ''): Pick<Sheets, 'create' | 'read'> {
  return { create, read }

  async function create(trx: Trx, actor: Actor, sheet: NewSheet): Promise<CreatedSheet> {
    const { title, origin, rows, outcomes = null, header, row_count } = sheet
    const { rows_id, bytes } = await copyRows(trx, { header, row_count, outcomes }, rows)
    const content = { header: [...header], row_count, outcomes: outcomes && JSON.stringify(outcomes), rows_id, bytes }
    const { id } = await trx
      .insertInto('sheets')
      .values({ title, origin, ...content, created_by: actor.id, updated_by: actor.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id: String(id), url: sheetUrl(id, publicUrl), rows_id }
  }

  async function read(reference: string, onRows: OnRows, signal?: AbortSignal): Promise<ReadSheet> {
    const id = Number(reference)
    const sheet = await db
      .selectFrom('sheets')
      .select(['title', 'header', 'deleted_at', 'rows_id'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!sheet) throw new SheetError(`Sheet ${id} does not exist. Check its URL.`)
    if (sheet.deleted_at) {
      throw new SheetError(`The sheet “${sheet.title}” is deleted. Restore it from the bin, or use another sheet.`)
    }
    const next = rowReader(db, sheet.rows_id)
    for (let batch = await next(); batch.length > 0; batch = await next()) {
      signal?.throwIfAborted()
      const rows = batch.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
      await onRows(
        sheet.header,
        rows.map(({ number, cells }) => ({ row: number + 1, cells })),
      )
    }
    return { id: reference, url: sheetUrl(id, publicUrl), header: sheet.header }
  }
}

/** A path of the console if the public URL is not set. */
export function sheetUrl(id: number, publicUrl = '') {
  return `${withoutTrailingSlashes(publicUrl)}/sheets/${id}`
}

/** The id of one of our own sheets, from an id, a console path, or an address below the public URL. */
export function localSheetId(reference: string, publicUrl = ''): string | undefined {
  const base = withoutTrailingSlashes(publicUrl)
  const path = base !== '' && reference.startsWith(`${base}/`) ? reference.slice(base.length) : reference
  return /^(?:\/sheets\/)?0*([1-9]\d{0,8})\/?$/.exec(path)?.[1]
}
