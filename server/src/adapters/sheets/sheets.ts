import type { Transaction } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Tables } from '../../db/tables.ts'

export type NewSheet = {
  title: string
  header: readonly string[]
  rows: readonly (readonly string[])[]
  /** The column by which its rows can be counted and filtered. */
  outcomeColumn?: string
}

export type SheetReference = { id: string; url: string }

/** Rows with a value, each with its number as the spreadsheet counts: the header is row 1. */
export type ReadSheet = SheetReference & { header: string[]; rows: { row: number; cells: string[] }[] }

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
  read(reference: string, signal?: AbortSignal): Promise<ReadSheet>
}

/** What a person can mend, or must know: shown as it is. */
export class SheetError extends Error {}
