import { z } from 'zod'
import { PLATFORMS } from '../enums.ts'
import {
  Author,
  changes,
  count,
  digits,
  FileFormat,
  Id,
  IdempotencyKey,
  IdParams,
  int,
  Outcomes,
  partOf,
  readOf,
  string,
  stringOrNull,
  text,
  timestamp,
} from '../fields.schema.ts'
import { CHANGED_AT_ONCE, CHANGED_ROWS_LISTED, LENGTH, MAX_ID, OPERATION_ROWS_AT_ONCE } from '../limits.ts'
import { keysOf, type ListQuery } from '../list.ts'
import { listOf } from '../page.schema.ts'
import { operationList } from './operations.ts'

const { kind, state } = operationList.filters

const Kind = z
  .enum(keysOf(kind.options))
  .meta({ description: 'What kind of import it is', examples: ['source_import'] })
/** An import has the state of its job, if it has one. */
export const OperationState = z
  .enum(keysOf(state.options))
  .exclude(['undone'])
  .meta({ description: 'How far it is', examples: ['done'] })

export const OperationReference = z.object({
  id: Id.describe('Id of the import'),
  kind: Kind,
  name: stringOrNull('Name of the file or sheet. Null if there is none', 'sources.csv'),
})

export const OperationProgress = z.object({
  step: z
    .enum(['waiting', 'checking', 'storing', 'verifying'])
    .meta({ description: 'What it does now', examples: ['checking'] }),
  done: count('Number of rows that this step has processed'),
  total: count('Number of rows').nullable().describe('Number of rows of this step. Null if it is not known'),
})

/** What was stored, read back after the commit and compared with what was sent. */
export const Verification = z.object({
  expected_count: count('Number of rows that had to be stored'),
  stored_count: count('Number of rows that were found'),
  is_equal: z.boolean().describe('Whether numbers and checksums are equal'),
  checksum: string('Checksum of the stored rows', '3f9a01c2'),
  at: timestamp('When it was checked'),
})

/** What the result of an import says of its operation. Other backends do not record any. */
export const recorded = {
  import_id: Id.optional().describe('Id of the import'),
  verification: Verification.nullish().describe('The proof of what was stored'),
}

export const Operation = OperationReference.extend({
  state: OperationState,
  bytes: count('Size of the file in bytes').nullable(),
  platform: z.enum(PLATFORMS).nullable().describe('The platform of a platform import or export'),
  sheet_url: z.string().nullable().describe('Address of the sheet that was read, or whose rows were replaced'),
  created_sheet_url: z.string().nullable().describe('Address of the sheet that was created'),
  counts: Outcomes.meta({
    description: 'Number of rows by outcome',
    examples: [{ requested: 40, 'already monitored': 2 }],
  }),
  rows_count: count('Number of rows').nullable().describe('Null if its rows are not kept'),
  skipped_count: count('Number of rows that were skipped in the preview, before the import'),
  verification: Verification.nullable().describe('The proof of what was stored. Null if there is none'),
  error: z.string().nullable().describe('Why it failed'),
  summary: stringOrNull('What it changed, or will change when it is done, in words', 'Removed 12 sources'),
  created_at: timestamp('When it was requested'),
  created_by: Author.nullable().describe('Who requested it'),
  started_at: timestamp('When it started').nullable(),
  finished_at: timestamp('When it ended').nullable(),
  undoes: OperationReference.nullable().describe('The import that this one undid, or will undo when it is done'),
  is_redo: z.boolean().describe('Whether it undid an undo, so that the import is done again. A redo cannot be undone'),
  origin_kind: Kind.describe('The kind of the import that it is, undid or did again'),
  undone: z
    .object({
      import_id: Id.describe('Id of the undo, which can be undone in turn, or of the redo'),
      at: timestamp('When it was undone'),
      by: Author.nullable(),
      left_count: count('Number of rows that were left alone'),
    })
    .nullable()
    .describe('Who undid it last, if it is undone'),
  undoing: z
    .object({
      import_id: Id.describe('Id of the undo'),
      is_redo: z.boolean().describe('Whether it does the import again'),
    })
    .nullable()
    .describe('The undo that waits or runs in the background and changes whether this import is undone'),
  can_undo: z.boolean().describe('Whether it can be undone'),
  job_id: Id.nullable().describe('The job that runs it in the background'),
  progress: OperationProgress.nullable().describe('Its progress while it waits or runs. Null if it has ended'),
}).describe('The import')

const outcome = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat())
  .pipe(z.array(text(LENGTH.name)).max(20))
  .optional()
  .describe('Only rows with one of these outcomes')

export const OperationRowsQuery = z.strictObject({
  offset: digits(z.int().min(0).max(MAX_ID)).optional().describe('Number of rows to skip. Default: 0'),
  limit: digits(z.int().min(1).max(OPERATION_ROWS_AT_ONCE)).optional().describe('Maximum number of rows to return'),
  outcome,
})
export const OperationRows = z
  .object({
    header: z
      .array(z.string())
      .meta({ description: 'Names of the columns', examples: [['row', 'source_url', 'outcome']] }),
    rows: z.array(
      z.object({
        number: int('Place among all rows, from 1', 1, { min: 1 }),
        cells: z.array(z.string()).meta({ examples: [['2', 'https://t.me/example', 'requested']] }),
      }),
    ),
    total: count('Number of rows that match'),
  })
  .describe('Some rows of the import')

const Effects = z.object({
  sources_removed: count('Number of sources that are removed'),
  sources_put_back: count('Number of sources that get their country back'),
  sources_restored: count('Number of sources that are restored'),
  stories_removed: count('Number of stories that are removed'),
  stories_restored: count('Number of stories that are restored'),
  narratives_removed: count('Number of narratives that are removed'),
  sheet_rows_put_back: count('Number of rows that the sheet gets back'),
  users_put_back: count('Number of users that get their former values back'),
  users_restored: count('Number of users that are restored'),
  users_deleted: count('Number of users that are deleted'),
  workspaces_put_back: count('Number of workspaces that get their former values back'),
  workspaces_restored: count('Number of workspaces that are restored, with their users'),
  workspaces_deleted: count('Number of workspaces that are deleted, with their users'),
  dashboards_restored: count('Number of dashboards that are restored'),
  dashboards_deleted: count('Number of dashboards that are deleted'),
})

const ChangedRow = z.object({
  id: Id.describe('Id of the source, user, workspace or dashboard'),
  name: string('Its address or name', 'https://t.me/example'),
  what: z.enum(['edited', 'removed', 'restored']).describe('What happened to it since'),
  current: z.string().nullable().describe('The country of a source now'),
  earlier: z.string().nullable().describe('The country that a source would get'),
  changes: changes('The fields of a user, workspace or dashboard that would get their former values back', [
    { type: { before: 'MODERATOR', after: 'STANDARD' } },
  ]),
  problem: stringOrNull(
    'Why it is left alone even if you choose it. Null if it would be undone',
    'Another user now has this email.',
  ),
  effect: z
    .enum([
      ...Effects.keyof().exclude(['stories_removed', 'stories_restored', 'narratives_removed']).options,
      'nothing',
    ])
    .describe('What the undo would do to it'),
  at: timestamp('When it last changed').nullable(),
  by: Author.nullable().describe('Who changed it last'),
})

export const UndoPreview = z
  .object({
    effects: Effects.describe('What the undo does'),
    changed_count: count('Number of rows that changed since, and are left alone unless you choose otherwise'),
    changed: z.array(ChangedRow).describe(`The first ${CHANGED_ROWS_LISTED} rows that changed since`),
    gone_count: count('Number of rows that cannot be undone, because they no longer exist or their text exists again'),
    problem: stringOrNull('Why it cannot be undone. Null if it can', 'It is already undone.'),
  })
  .describe('What an undo would do')

export const Undo = z.strictObject({
  changed: z
    .union([z.enum(['leave', 'all']), z.array(Id).max(CHANGED_AT_ONCE)])
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
  z.strictObject({ format: FileFormat, outcome }),
  z.unknown(),
)

export const previewUndo = readOf('See what an undo would do', UndoPreview)

export const undoOperation = {
  summary: 'Undo an import',
  params: IdParams,
  headers: IdempotencyKey,
  body: Undo,
  response: { 200: Operation },
}
