import { z } from 'zod'
import { CONTENT_TYPES, PLATFORMS } from './enums.ts'
import { digits, Id, IdempotencyKey, IdParams, missing, text, uniqueList } from './fields.schema.ts'
import { LENGTH, MAX_ID, SIMILARITY } from './limits.ts'
import { runList } from './narratives-vectorization.ts'
import { listQuery, pageOf } from './page.schema.ts'

const NO_TIME = 'Enter the execution date in this format: 2026-11-15T09:30:00.000Z.'

export const ExecutionDate = z
  .string(missing('Execution date is required'))
  .min(1, 'Execution date is required')
  .pipe(z.iso.datetime({ offset: true, error: NO_TIME }).refine(isInCalendar, NO_TIME))

/** PostgreSQL supports fewer years than ISO 8601. */
function isInCalendar(value: string) {
  const year = new Date(value).getUTCFullYear()
  return !(year < 1 || year > 9999)
}

/** Checks only that a date is present: other backends use other formats, so the server validates it. */
export const StatusQuestion = z.strictObject({ execution_date: ExecutionDate.in })

export const Vectorization = z.strictObject({
  narrative_id: z.int(missing('Narrative id is required')).min(1).max(MAX_ID),
  platforms: uniqueList(z.enum(PLATFORMS)),
  content_types: uniqueList(z.enum(CONTENT_TYPES)),
})
export const VectorizationRun = z.object({ execution_date: z.string() })
/** Includes the reason for a failure or a long wait, if known. */
export const VectorizationStatus = z.object({ status: z.string(), error: z.string().nullish() })

/** The progress of a run that Airflow processes in batches. */
export const VectorizationBatch = z.object({
  done_count: z.int(),
  stories_count: z.int(),
  /** True when every story of the run has a vector and no batches are left. */
  is_finished: z.boolean(),
})

export const RunStatus = z.enum(['queued', 'running', 'success', 'failed'])

/** A run in the list of recent runs. */
export const Run = z.object({
  id: Id,
  execution_date: z.string(),
  narrative_id: z.int(),
  platforms: z.array(z.enum(PLATFORMS)),
  content_types: z.array(z.enum(CONTENT_TYPES)),
  model: z.string(),
  status: RunStatus,
  /** Where the run is executed: in the server or as an Airflow DAG run. */
  runner: z.enum(['server', 'airflow']),
  stories_count: z.int().nullable(),
  done_count: z.int(),
  error: z.string().nullable(),
  created_by: z.object({ id: Id, name: z.string() }).nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
})

const threshold = z
  .string()
  .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'Must be a number from 0 to 1.')
  .transform(Number)
  .pipe(z.number().min(SIMILARITY.min).max(SIMILARITY.max))

export const SimilarQuery = z.strictObject({
  text: text(LENGTH.description).refine((value) => value.trim() !== '', 'Text is required'),
  threshold: threshold.optional(),
  limit: digits(z.int().min(1).max(100)).optional(),
})
export const SimilarStories = z.object({
  narrative_id: z.int(),
  model: z.string(),
  /** Stories of the narrative that have a vector of this model. */
  vectorized_count: z.int(),
  /** Stories that reach the requested threshold. */
  passing_count: z.int(),
  /** Stories that reach 0, 0.05, 0.1 … 1, for the slider. */
  passing_counts: z.array(z.int()),
  nearest: z.array(
    z.object({ id: z.int(), message_composite_id: z.string(), story: z.string(), similarity: z.number() }),
  ),
})

export type Vectorization = z.infer<typeof Vectorization>
export type Run = z.infer<typeof Run>
export type RunStatus = z.infer<typeof RunStatus>
export type VectorizationBatch = z.infer<typeof VectorizationBatch>
export type SimilarQuery = z.output<typeof SimilarQuery>
export type SimilarStories = z.infer<typeof SimilarStories>

export const vectorizeNarrative = {
  summary: 'Trigger the vectorization of a narrative',
  headers: IdempotencyKey,
  body: Vectorization,
  response: { 200: VectorizationRun },
}

export const vectorizationStatus = {
  summary: 'Get the status of a vectorization run',
  params: z.strictObject({ execution_date: ExecutionDate }),
  response: { 200: VectorizationStatus },
}

export const vectorizeBatch = {
  summary: 'Embed the next batch of an Airflow run: what the DAG calls until is_finished',
  params: z.strictObject({ execution_date: ExecutionDate }),
  response: { 200: VectorizationBatch },
}

export const listRuns = {
  summary: 'List vectorization runs, newest first',
  querystring: listQuery(runList),
  response: { 200: pageOf(Run) },
}

export const similarStories = {
  summary: 'Find the stories of a narrative that are most similar to a text',
  params: IdParams,
  querystring: SimilarQuery,
  response: { 200: SimilarStories },
}
