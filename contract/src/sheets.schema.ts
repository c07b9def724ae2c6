import { z } from 'zod'
import { deleteOf, editOf, partOf, readOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'
import { LENGTH } from './limits.ts'
import { keysOf, type ListQuery } from './list.ts'
import { OperationReference } from './operations/operations.schema.ts'
import { listOf, RowsQuery } from './page.schema.ts'
import { sheetList } from './sheets.ts'
import { SOURCES_SHEET_KEYS } from './website-config.ts'

export const SheetOrigin = z.enum(keysOf(sheetList.filters.origin.options))

export const Sheet = field.object('The sheet, without its rows', {
  id: field.Id,
  title: z.string(),
  origin: SheetOrigin.describe('The page on which the sheet was created'),
  header: field.about(z.array(z.string()), 'Names of the columns', ['source_url', 'source_country']),
  row_count: field.count('Number of rows below the header'),
  outcomes: field.Outcomes.nullable().describe('Number of rows by outcome. Null if the sheet does not list outcomes'),
  created_at: field.timestamp('When it was created'),
  created_by: field.Author.nullable(),
  rows_id: field.Id.describe('Id of its rows: another one once they are replaced'),
  version: field.Version,
})

export const ListedSheet = Sheet.omit({ header: true, outcomes: true, rows_id: true }).extend({
  bytes: field.count('Size of all cells in bytes').nullable().describe('Null for sheets of earlier releases'),
  updated_at: field.timestamp('When it last changed'),
  created_by_import: OperationReference.nullable().describe('The import or export that created it, if it is known'),
  config_keys: field.about(
    z.array(z.enum(SOURCES_SHEET_KEYS)),
    'The settings of the website config that name it. While there are any, it cannot be deleted',
    ['sources_sheet_telegram'],
  ),
  days_left: field
    .count('Days until it moves to the bin, unless it changes')
    .nullable()
    .describe('Null if it is kept: the website config names it, or sheets are never deleted automatically'),
})

export const SheetUpdate = z.strictObject({
  title: field.about(field.name('Title is required!'), 'The new title', 'Telegram sources'),
})

const outcome = field.text(LENGTH.name).optional().describe('Only rows with this outcome')

export const SheetRowsQuery = RowsQuery.extend({ outcome })
export const SheetRows = field.object('Some rows of the sheet', {
  rows: field.objects('Long rows are returned in smaller numbers than requested, but at least one', {
    number: field.int('Row number below the header, from 1', 1, { min: 1 }),
    cells: z.array(z.string()).meta({ examples: [['https://t.me/example', 'UA']] }),
  }),
  total: field.count('Number of rows that match'),
  version: field.Version,
})
export const SheetFileQuery = z.strictObject({ format: field.FileFormat, outcome })
export const SheetReplacement = z.strictObject({
  file: z.file(field.missing('File is required')).describe('A .csv or .xlsx file'),
})

export type SheetOrigin = z.infer<typeof SheetOrigin>
export type Sheet = z.infer<typeof Sheet>
export type ListedSheet = z.infer<typeof ListedSheet>
export type SheetQuery = ListQuery<typeof sheetList>
export type SheetUpdate = z.infer<typeof SheetUpdate>
export type SheetRows = z.infer<typeof SheetRows>
export type SheetRowsQuery = z.output<typeof SheetRowsQuery>
export type SheetFileQuery = z.output<typeof SheetFileQuery>

export const listSheets = listOf('List sheets', sheetList, ListedSheet)

export const getSheet = readOf('Read a sheet without its rows', Sheet)

export const listSheetRows = partOf('Read rows of a sheet', SheetRowsQuery, SheetRows)

export const downloadSheet = partOf('Download a sheet as a file', SheetFileQuery, z.unknown())

export const replaceSheet = editOf('Replace a sheet’s header and rows with those of a file', SheetReplacement, Sheet)

export const updateSheet = editOf('Rename a sheet', SheetUpdate, Sheet)

export const deleteSheet = deleteOf('Delete a sheet that the website config does not name')

export const restoreSheet = readOf('Restore a deleted sheet', Sheet)
