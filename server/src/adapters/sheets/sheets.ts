import type { SheetOrigin } from '@watchdesk/contract/sheets'
import type { RawBuilder, Transaction } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Tables } from '../../db/tables.ts'

export type RowBatch = readonly (readonly string[])[]

/** Rows that are in the database: a million of them need not be in memory. */
export type NewRows = {
  /** The `cells` of each, and its `place`, counted from 1 without gaps. */
  query: RawBuilder<unknown>
  /** The same in their order, for a sheet elsewhere. */
  parts(): Iterable<RowBatch> | AsyncIterable<RowBatch>
}

export type NewSheet = {
  title: string
  origin: SheetOrigin
  header: readonly string[]
  row_count: number
  rows: NewRows
  /** The column by which its rows can be counted and filtered. */
  outcomeColumn?: string
}

export type SheetReference = { id: string; url: string }

/** A row with a value, with its number as the spreadsheet counts: the header is row 1. */
export type SheetRow = { row: number; cells: string[] }

/** A sheet with those of its rows that were not handed to `TakeRows` before. */
export type ReadSheet = SheetReference & { header: string[]; rows: SheetRow[] }

/** Is handed rows while the sheet is being read: of a large one, no more than a part is ever in memory. */
export type TakeRows = (header: string[], rows: SheetRow[]) => Promise<void>

/** Where result sheets are written and sheets of sources are read. */
export type Sheets = {
  /** Whom a spreadsheet must be shared with, where that matters. */
  serviceAccount: string | null
  /**
   * In the transaction of the change that the sheet tells of: what cannot be written down is not done. A sheet elsewhere
   * is made before that transaction ends, and shared with the actor.
   */
  create(trx: Transaction<Tables>, actor: Actor, sheet: NewSheet): Promise<SheetReference>
  /** By what stands in the config or in a request: an id or an address. */
  read(reference: string, signal?: AbortSignal, take?: TakeRows): Promise<ReadSheet>
}

/** What a person can mend, or must know: shown as it is. */
export class SheetError extends Error {}
