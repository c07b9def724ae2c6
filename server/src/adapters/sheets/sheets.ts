import type { SheetOrigin } from '@watchdesk/contract/sheets'
import type { RawBuilder } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'

export type NewSheet = {
  title: string
  origin: SheetOrigin
  header: readonly string[]
  row_count: number
  /** Selects `cells` and `place` of each row. Places start at 1 and have no gaps. A million rows need not be in memory. */
  rows: RawBuilder<unknown>
  /** How many rows have each value of the column `outcome`, by which they can be filtered. */
  outcomes?: Record<string, number>
}

type SheetReference = { id: string; url: string }

/** A new sheet; the set of its rows, if they are in our database. */
export type CreatedSheet = SheetReference & { rows_id?: number }

/** A row that is not blank, with its number in the spreadsheet. The header is row 1. */
export type SheetRow = { row: number; cells: string[] }

export type ReadSheet = SheetReference & { header: string[] }

/** Receives rows in batches while the sheet is being read, so that a large sheet is never in memory as a whole. */
export type OnRows = (header: string[], rows: SheetRow[]) => Promise<void>

export type Sheets = {
  /** The account that spreadsheets must be shared with, if there is one. */
  serviceAccount: string | null
  /** In the transaction of the change that the sheet reports. A sheet in another service exists before that commits. */
  create(trx: Trx, actor: Actor, sheet: NewSheet): Promise<CreatedSheet>
  read(reference: string, onRows: OnRows, signal?: AbortSignal): Promise<ReadSheet>
}

/** Its message is shown to the user. */
export class SheetError extends Error {}
