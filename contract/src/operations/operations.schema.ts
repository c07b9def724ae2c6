import { z } from 'zod'
import { IdParams, onceOf, partOf, readOf } from '../endpoint.schema.ts'
import { PLATFORMS } from '../enums.ts'
import * as field from '../fields.schema.ts'
import { CHANGED_AT_ONCE, CHANGED_ROWS_LISTED, LENGTH } from '../limits.ts'
import { keysOf, type ListQuery } from '../list.ts'
import { listOf, RowsQuery } from '../page.schema.ts'
import { operationList } from './operations.ts'

const { kind, state } = operationList.filters

const Kind = field.about(z.enum(keysOf(kind.options)), 'What kind of import it is', 'source_import')
/** An import has the state of its job, if it has one. */
export const OperationState = field.about(z.enum(keysOf(state.options)).exclude(['undone']), 'How far it is', 'done')

export const OperationReference = z.object({
  id: field.Id.describe('Id of the import'),
  kind: Kind,
  name: field.stringOrNull('Name of the file or sheet. Null if there is none', 'sources.csv'),
})

export const OperationProgress = z.object({
  step: field.about(z.enum(['waiting', 'checking', 'storing', 'verifying']), 'What it does now', 'checking'),
  done: field.count('Number of rows that this step has processed'),
  total: field.count('Number of rows').nullable().describe('Number of rows of this step. Null if it is not known'),
})

export const Verification = z.object({
  expected_count: field.count('Number of rows that had to be stored'),
  stored_count: field.count('Number of rows that were found'),
  is_equal: z.boolean().describe('Whether numbers and checksums are equal'),
  checksum: field.string('Checksum of the stored rows', '3f9a01c2'),
  at: field.timestamp('When it was checked'),
})

/** What the result of an import says of its operation. Other backends do not record any. */
export const recorded = {
  import_id: field.Id.optional().describe('Id of the import'),
  verification: Verification.nullish().describe('The proof of what was stored'),
}

export const Operation = OperationReference.extend({
  state: OperationState,
  bytes: field.count('Size of the file in bytes').nullable(),
  platform: z.enum(PLATFORMS).nullable().describe('The platform of a platform import or export'),
  sheet_url: z.string().nullable().describe('Address of the sheet that was read, or whose rows were replaced'),
  created_sheet_url: z.string().nullable().describe('Address of the sheet that was created'),
  counts: field.about(field.Outcomes, 'Number of rows by outcome', { requested: 40, 'already monitored': 2 }),
  rows_count: field.count('Number of rows').nullable().describe('Null if its rows are not kept'),
  skipped_count: field.count('Number of rows that were skipped in the preview, before the import'),
  verification: Verification.nullable().describe('The proof of what was stored. Null if there is none'),
  error: z.string().nullable().describe('Why it failed'),
  summary: field.stringOrNull('What it changed, or will change when it is done, in words', 'Removed 12 sources'),
  created_at: field.timestamp('When it was requested'),
  created_by: field.Author.nullable().describe('Who requested it'),
  started_at: field.timestamp('When it started').nullable(),
  finished_at: field.timestamp('When it ended').nullable(),
  undoes: OperationReference.nullable().describe('The import that this one undid, or will undo when it is done'),
  is_redo: z.boolean().describe('Whether it undid an undo, so that the import is done again. A redo cannot be undone'),
  origin_kind: Kind.describe('The kind of the import that it is, undid or did again'),
  undone: field.objectOrNull('Who undid it last, if it is undone', {
    import_id: field.Id.describe('Id of the undo, which can be undone in turn, or of the redo'),
    at: field.timestamp('When it was undone'),
    by: field.Author.nullable(),
    left_count: field.count('Number of rows that were left alone'),
  }),
  undoing: field.objectOrNull(
    'The undo that waits or runs in the background and changes whether this import is undone',
    {
      import_id: field.Id.describe('Id of the undo'),
      is_redo: z.boolean().describe('Whether it does the import again'),
    },
  ),
  can_undo: z.boolean().describe('Whether it can be undone'),
  job_id: field.Id.nullable().describe('The job that runs it in the background'),
  progress: OperationProgress.nullable().describe('Its progress while it waits or runs. Null if it has ended'),
}).describe('The import')

const outcome = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat())
  .pipe(z.array(field.text(LENGTH.name)).max(20))
  .optional()
  .describe('Only rows with one of these outcomes')

export const OperationRowsQuery = RowsQuery.extend({ outcome })
export const OperationRows = field.object('Some rows of the import', {
  header: field.about(z.array(z.string()), 'Names of the columns', ['row', 'source_url', 'outcome']),
  rows: z.array(
    z.object({
      number: field.int('Place among all rows, from 1', 1, { min: 1 }),
      cells: z.array(z.string()).meta({ examples: [['2', 'https://t.me/example', 'requested']] }),
    }),
  ),
  total: field.count('Number of rows that match'),
})

const Effects = z.object({
  sources_removed: field.count('Number of sources that are removed'),
  sources_put_back: field.count('Number of sources that get their country back'),
  sources_restored: field.count('Number of sources that are restored'),
  stories_removed: field.count('Number of stories that are removed'),
  stories_restored: field.count('Number of stories that are restored'),
  narratives_removed: field.count('Number of narratives that are removed'),
  sheet_rows_put_back: field.count('Number of rows that the sheet gets back'),
  users_put_back: field.count('Number of users that get their former values back'),
  users_restored: field.count('Number of users that are restored'),
  users_deleted: field.count('Number of users that are deleted'),
  workspaces_put_back: field.count('Number of workspaces that get their former values back'),
  workspaces_restored: field.count('Number of workspaces that are restored, with their users'),
  workspaces_deleted: field.count('Number of workspaces that are deleted, with their users'),
  dashboards_restored: field.count('Number of dashboards that are restored'),
  dashboards_deleted: field.count('Number of dashboards that are deleted'),
})

const ChangedRow = z.object({
  id: field.Id.describe('Id of the source, user, workspace or dashboard'),
  name: field.string('Its address or name', 'https://t.me/example'),
  what: z.enum(['edited', 'removed', 'restored']).describe('What happened to it since'),
  current: z.string().nullable().describe('The country of a source now'),
  earlier: z.string().nullable().describe('The country that a source would get'),
  changes: field.changes('The fields of a user, workspace or dashboard that would get their former values back', [
    { type: { before: 'MODERATOR', after: 'STANDARD' } },
  ]),
  problem: field.stringOrNull(
    'Why it is left alone even if you choose it. Null if it would be undone',
    'Another user now has this email.',
  ),
  effect: z
    .enum([
      ...Effects.keyof().exclude(['stories_removed', 'stories_restored', 'narratives_removed']).options,
      'nothing',
    ])
    .describe('What the undo would do to it'),
  at: field.timestamp('When it last changed').nullable(),
  by: field.Author.nullable().describe('Who changed it last'),
})

export const UndoPreview = field.object('What an undo would do', {
  effects: Effects.describe('What the undo does'),
  changed_count: field.count('Number of rows that changed since, and are left alone unless you choose otherwise'),
  changed: z.array(ChangedRow).describe(`The first ${CHANGED_ROWS_LISTED} rows that changed since`),
  gone_count: field.count(
    'Number of rows that cannot be undone, because they no longer exist or their text exists again',
  ),
  problem: field.stringOrNull('Why it cannot be undone. Null if it can', 'It is already undone.'),
})

export const Undo = z.strictObject({
  changed: z
    .union([z.enum(['leave', 'all']), z.array(field.Id).max(CHANGED_AT_ONCE)])
    .describe('Which of the rows that changed since are undone too: none, all, or those with these ids'),
})

export type OperationReference = z.infer<typeof OperationReference>
export type Operation = z.infer<typeof Operation>
export type OperationQuery = ListQuery<typeof operationList>
export type OperationRows = z.infer<typeof OperationRows>
export type OperationRowsQuery = z.output<typeof OperationRowsQuery>
export type UndoPreview = z.infer<typeof UndoPreview>
export type Undo = z.infer<typeof Undo>

export const listOperations = listOf('List imports, exports and other changes of many rows', operationList, Operation)

export const getOperation = readOf('Read an import', Operation)

export const listOperationRows = partOf(
  'Read rows of an import, with the outcome of each',
  OperationRowsQuery,
  OperationRows,
)

export const downloadOperationRows = partOf(
  'Download rows of an import as a file that can be corrected and imported again',
  z.strictObject({ format: field.FileFormat, outcome }),
  z.unknown(),
)

export const previewUndo = readOf('See what an undo would do', UndoPreview)

export const undoOperation = { ...onceOf('Undo an import', Undo, Operation), params: IdParams }
