import { z } from 'zod'
import { digits, Id, IdParams, IfMatch, missing, text, Version } from './fields.schema.ts'
import { LENGTH, MAX_ID, SHEET_ROWS_AT_ONCE } from './limits.ts'

/** The page on which a sheet was created. */
export const SheetOrigin = z.enum(['source_import', 'source_management'])

/** A sheet stored in our database. */
export const Sheet = z.object({
  id: Id,
  title: z.string(),
  origin: SheetOrigin,
  header: z.array(z.string()),
  row_count: z.int(),
  /** The number of rows by outcome, if the sheet lists outcomes. */
  outcomes: z.record(z.string(), z.int()).nullable(),
  created_at: z.string(),
  created_by: z.object({ id: Id, name: z.string() }).nullable(),
  version: Version,
})

const outcome = text(LENGTH.name).optional()

export const SheetRowsQuery = z.strictObject({
  /** The number of rows to skip. */
  offset: digits(z.int().min(0).max(MAX_ID)).optional(),
  limit: digits(z.int().min(1).max(SHEET_ROWS_AT_ONCE)).optional(),
  outcome,
})
export const SheetRows = z.object({
  /**
   * `number` is the row number below the header, from 1. Contains fewer rows than requested, but at least one, if they
   * are long.
   */
  rows: z.array(z.object({ number: z.int(), cells: z.array(z.string()) })),
  total: z.int(),
  version: Version,
})
export const SheetFileQuery = z.strictObject({ format: z.enum(['csv', 'xlsx']), outcome })
export const SheetReplacement = z.strictObject({ file: z.file(missing('File is required')) })

export type SheetOrigin = z.infer<typeof SheetOrigin>
export type Sheet = z.infer<typeof Sheet>
export type SheetRows = z.infer<typeof SheetRows>
export type SheetRowsQuery = z.output<typeof SheetRowsQuery>
export type SheetFileQuery = z.output<typeof SheetFileQuery>

export const getSheet = { summary: 'Read a sheet without its rows', params: IdParams, response: { 200: Sheet } }

export const listSheetRows = {
  summary: 'Read rows of a sheet',
  params: IdParams,
  querystring: SheetRowsQuery,
  response: { 200: SheetRows },
}

export const downloadSheet = {
  summary: 'Download a sheet as a file, with formulas escaped',
  params: IdParams,
  querystring: SheetFileQuery,
  response: { 200: z.unknown() },
}

export const replaceSheet = {
  summary: 'Replace a sheet’s header and rows with those of a file',
  params: IdParams,
  headers: IfMatch,
  body: SheetReplacement,
  response: { 200: Sheet },
}
