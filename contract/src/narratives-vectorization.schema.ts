import { z } from 'zod'
import { onceOf, partOf, resultOf } from './endpoint.schema.ts'
import { CONTENT_TYPES, PLATFORMS } from './enums.ts'
import * as field from './fields.schema.ts'
import { LENGTH, MAX_ID, SIMILAR_STORIES_AT_ONCE, SIMILARITY } from './limits.ts'
import { keysOf } from './list.ts'
import { runList } from './narratives-vectorization.ts'
import { listOf } from './page.schema.ts'

const NO_TIME = 'Enter the execution date in this format: 2026-11-15T09:30:00.000Z.'

export const ExecutionDate = field.about(
  z
    .string(field.missing('Execution date is required'))
    .min(1, 'Execution date is required')
    .pipe(z.iso.datetime({ offset: true, error: NO_TIME }).refine(isInCalendar, NO_TIME)),
  'Execution date of the run',
  '2026-11-15T09:30:00.000Z',
)

/** PostgreSQL supports fewer years than ISO 8601. */
function isInCalendar(value: string) {
  const year = new Date(value).getUTCFullYear()
  return !(year < 1 || year > 9999)
}

/** Checks only that a date is present: other backends use other formats, so the server validates it. */
export const StatusQuestion = z.strictObject({ execution_date: ExecutionDate.in })

export const Vectorization = z.strictObject({
  narrative_id: field.int('Id of the narrative', 8, { min: 1, max: MAX_ID }, 'Narrative id is required'),
  platforms: field.about(field.uniqueList(z.enum(PLATFORMS)), 'Platforms of the stories. An empty list means all', [
    'TELEGRAM',
  ]),
  content_types: field.about(
    field.uniqueList(z.enum(CONTENT_TYPES)),
    'Content types of the stories. An empty list means all',
    ['POST', 'COMMENT'],
  ),
})
export const VectorizationRun = field.object('The new run', { execution_date: field.timestamp('Identifies the run') })
export const VectorizationStatus = field.object('The status of the run', {
  status: z.string().meta({ examples: ['success'] }),
  error: z.string().nullish().describe('Why the run failed or waits, if known'),
})

export const VectorizationBatch = field.object('The progress of the run', {
  done_count: field.count('Number of stories that have a vector'),
  stories_count: field.count('Number of stories of the run'),
  is_finished: z.boolean().describe('Whether every story of the run has a vector'),
})

export const Run = z.object({
  id: field.Id,
  execution_date: field.timestamp('Identifies the run'),
  narrative_id: field.Id.describe('Id of the narrative'),
  platforms: z.array(z.enum(PLATFORMS)),
  content_types: z.array(z.enum(CONTENT_TYPES)),
  model: z.string().meta({ examples: ['lexical'] }),
  status: z.enum(keysOf(runList.filters.status.options)),
  runner: z.enum(['server', 'airflow']).describe('Where the run is executed: in the server or as an Airflow DAG run'),
  stories_count: field.count('Number of stories of the run').nullable(),
  done_count: field.count('Number of stories that have a vector'),
  error: z.string().nullable().describe('Why the run failed or waits, if known'),
  created_by: field.Author.nullable(),
  created_at: field.timestamp('When it was triggered'),
  started_at: field.timestamp('When it started').nullable(),
  finished_at: field.timestamp('When it ended').nullable(),
})

const threshold = z
  .string()
  .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'Must be a number from 0 to 1.')
  .transform(Number)
  .pipe(z.number().min(SIMILARITY.min).max(SIMILARITY.max))

export const SimilarQuery = z.strictObject({
  text: field.about(
    field.text(LENGTH.description).refine((value) => value.trim() !== '', 'Text is required'),
    'Text to compare with the stories',
    'Prices of fuel rise again',
  ),
  threshold: threshold.optional().describe('Similarity that stories must reach to be counted in passing_count'),
  limit: field
    .digits(z.int().min(1).max(SIMILAR_STORIES_AT_ONCE))
    .optional()
    .describe('Maximum number of stories to return'),
})
export const SimilarStories = field.object('The most similar stories', {
  narrative_id: field.Id.describe('Id of the narrative'),
  model: z.string().meta({ examples: ['lexical'] }),
  vectorized_count: field.count('Number of stories of the narrative that have a vector of this model'),
  passing_count: field.count('Number of stories that reach the threshold'),
  passing_counts: z
    .array(field.count('Number of stories'))
    .describe('Number of stories that reach a similarity of 0, 0.05, 0.1 and so on up to 1'),
  nearest: z.array(
    z.object({
      id: field.Id,
      message_composite_id: z.string().meta({ examples: ['telegram:post:77'] }),
      story: z.string(),
      similarity: field.about(z.number().min(-1).max(1), 'Similarity to the text', 0.82),
    }),
  ),
})

export type Vectorization = z.infer<typeof Vectorization>
export type Run = z.infer<typeof Run>
export type VectorizationBatch = z.infer<typeof VectorizationBatch>
export type SimilarQuery = z.output<typeof SimilarQuery>
export type SimilarStories = z.infer<typeof SimilarStories>

export const vectorizeNarrative = onceOf('Trigger the vectorization of a narrative', Vectorization, VectorizationRun)

const params = z.strictObject({ execution_date: ExecutionDate })

export const vectorizationStatus = { ...resultOf('Get the status of a vectorization run', VectorizationStatus), params }

export const vectorizeBatch = { ...resultOf('Vectorize the next batch of an Airflow run', VectorizationBatch), params }

export const listRuns = listOf('List vectorization runs, newest first', runList, Run)

export const similarStories = partOf(
  'Find the stories of a narrative that are most similar to a text',
  SimilarQuery,
  SimilarStories,
)
