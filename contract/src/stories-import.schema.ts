import { z } from 'zod'
import { IdempotencyKey, missing } from './fields.schema.ts'
import { IdList } from './page.schema.ts'

/** A multipart form: `delete_existing_stories` arrives as text. */
export const StoriesImport = z.strictObject({
  file: z.file(missing('File is required')),
  delete_existing_stories: z.enum(['true', 'false']).optional(),
})
export const StoriesImportResult = z.object({
  summaries: z.array(
    z.object({
      narrative_id: z.int(),
      /** New stories. */
      imported_stories_count: z.int(),
      /** Rows that repeat existing stories. */
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
export const importStories = {
  summary: 'Import stories from a file',
  headers: IdempotencyKey,
  body: StoriesImport,
  response: { 200: StoriesImportResult },
}

export const countStories = {
  summary: 'Count the stories of narratives, which an import that deletes existing stories would delete',
  querystring: z.strictObject({ narrative_ids: IdList }),
  response: { 200: StoryCounts },
}
