import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { IdempotencyKey, missing } from './fields.ts'
import { TIMEOUT_MS } from './limits.ts'
import { IdList } from './page.ts'

export const STORIES_COLUMNS = ['narrative_id', 'message_composite_id', 'story', 'sentiment_score'] as const

/** A multipart form: `delete_existing_stories` arrives as text. */
export const StoriesImport = z.strictObject({
  file: z.file(missing('File is required')),
  delete_existing_stories: z.enum(['true', 'false']).optional(),
})
export const StoriesImportResult = z.object({
  summaries: z.array(
    z.object({
      narrative_id: z.int(),
      /** Stories that were not there before. */
      imported_stories_count: z.int(),
      /** Rows of the file that say again what is there. */
      repeated_stories_count: z.int(),
      deleted_stories_count: z.int(),
    }),
  ),
})

export const StoryCounts = z.object({
  counts: z.array(z.object({ narrative_id: z.int(), stories_count: z.int() })),
})

export type StoryCounts = z.infer<typeof StoryCounts>
export type StoriesImportResult = z.infer<typeof StoriesImportResult>
type Summary = StoriesImportResult['summaries'][number]

export function summaryText({
  narrative_id,
  imported_stories_count,
}: Pick<Summary, 'narrative_id' | 'imported_stories_count'>) {
  return `${imported_stories_count} stories imported into narrative ${narrative_id}`
}

export const importStories = {
  method: 'POST',
  url: '/api/v1/stories-import/from-file',
  config: {
    access: 'super_admin',
    timeout_ms: TIMEOUT_MS.stories,
    content_type: 'multipart/form-data',
    is_import: true,
  },
  schema: {
    summary: 'Import stories from a file',
    headers: IdempotencyKey,
    body: StoriesImport,
    response: { 200: StoriesImportResult },
  },
} satisfies Endpoint

export const countStories = {
  method: 'GET',
  url: '/api/v1/stories-import/story-counts',
  config: { access: 'super_admin' },
  schema: {
    summary: 'How many stories each of these narratives has: what an import that deletes them would delete',
    querystring: z.strictObject({ narrative_ids: IdList }),
    response: { 200: StoryCounts },
  },
} satisfies Endpoint
