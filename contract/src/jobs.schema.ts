import { z } from 'zod'
import { IdempotencyKey, readOf, resultOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'
import { MAX_ROWS } from './limits.ts'
import { keysOf } from './list.ts'
import { OPERATION_KINDS } from './operations/kinds.ts'
import { OperationProgress, OperationState } from './operations/operations.schema.ts'
import { SourceImportResult } from './source-import.schema.ts'
import { StoriesImport, StoriesImportResult } from './stories-import.schema.ts'

const JOB_KINDS = keysOf(OPERATION_KINDS).filter((kind) => OPERATION_KINDS[kind].isJob)
const JobKind = field.about(z.enum(JOB_KINDS), 'What the job does', 'source_import')

export const JobResults = z.object({
  sources: SourceImportResult.nullable().describe('The result of a source import that is done'),
  stories: StoriesImportResult.nullable().describe('The result of a stories import that is done'),
})

export const Job = field.object('The job', {
  id: field.Id.describe('Id of the job'),
  kind: JobKind,
  state: OperationState,
  name: field.string('Name of the file, or of the import that is undone, or what is changed in words', 'sources.csv'),
  bytes: field
    .count('Size of the file in bytes')
    .nullable()
    .describe('Size of the file in bytes. Null if there is none'),
  import_id: field.Id.nullable().describe('Id of the import that the job carries out'),
  is_cancelled: z.boolean().describe('Whether somebody has asked to cancel it'),
  progress: OperationProgress.nullable().describe('Its progress. Null if it has ended'),
  error: field.stringOrNull('Why it failed or was cancelled', 'Cancelled by Olena Kovalenko.'),
  ...JobResults.shape,
  created_by: field.Author.describe('Whose job it is'),
  created_at: field.timestamp('When it was requested'),
  started_at: field.timestamp('When it started').nullable(),
  finished_at: field.timestamp('When it ended').nullable(),
})

export type Job = z.infer<typeof Job>
export type JobResults = z.infer<typeof JobResults>
export type JobKind = z.infer<typeof JobKind>
export type JobProgress = z.infer<typeof OperationProgress>

const RowCount = field.digits(z.int().min(0).max(MAX_ROWS)).optional()
const rows_count = RowCount.describe('Number of rows in the file, if you know it. Only used to show the progress')

export const createSourceJob = {
  summary: 'Import sources from a file in the background',
  headers: IdempotencyKey,
  body: z.strictObject({
    file: z.file(field.missing('File is required')).describe('A .csv or .xlsx file with a column source_url'),
    rows_count,
    skipped_count: RowCount.describe('Number of rows that you left out of the file. Shown with the import'),
  }),
  response: { 202: Job },
}

export const createStoriesJob = {
  summary: 'Import stories from a file in the background',
  headers: IdempotencyKey,
  body: StoriesImport.extend({ rows_count }),
  response: { 202: Job },
}

export const listJobs = resultOf(
  'List your jobs that have not ended, or ended within a day, newest first',
  field.object('Your jobs', { jobs: z.array(Job) }),
)

export const getJob = readOf('Get a job', Job)

export const cancelJob = readOf('Cancel a job', Job)
