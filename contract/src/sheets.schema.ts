import { z } from 'zod'
import { digits, Id, IdParams, IfMatch, missing, text, Version } from './fields.schema.ts'
import { LENGTH, MAX_ID, SHEET_ROWS_AT_ONCE } from './limits.ts'

/** The page that a sheet was made on. */
export const SheetOrigin = z.enum(['source_import', 'source_management'])

/** A sheet that lives in our own database. */
export const Sheet = z.object({
  id: Id,
  title: z.string(),
  origin: SheetOrigin,
  header: z.array(z.string()),
  row_count: z.int(),
  /** How many rows have each outcome, where the sheet lists outcomes. */
  outcomes: z.record(z.string(), z.int()).nullable(),
  created_at: z.string(),
  created_by: z.object({ id: Id, name: z.string() }).nullable(),
  version: Version,
})

const outcome = text(LENGTH.name).optional()

export const SheetRowsQuery = z.strictObject({
  /** How many rows to pass over. */
  offset: digits(z.int().min(0).max(MAX_ID)).optional(),
  limit: digits(z.int().min(1).max(SHEET_ROWS_AT_ONCE)).optional(),
  outcome,
})
export const SheetRows = z.object({
  /** `number` counts the rows below the header from 1. Fewer than asked for, but at least one, where rows are long. */
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
