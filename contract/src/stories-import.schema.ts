import { z } from 'zod'
import { count, Id, missing, onceOf } from './fields.schema.ts'
import { recorded } from './operations/operations.schema.ts'
import { IdList } from './page.schema.ts'

const NarrativeId = Id.describe('Id of the narrative')

/** A multipart form: `delete_existing_stories` arrives as text. */
export const StoriesImport = z.strictObject({
  file: z.file(missing('File is required')).describe('A .csv or .xlsx file'),
  delete_existing_stories: z
    .enum(['true', 'false'])
    .optional()
    .describe('Whether to delete the existing stories of the narratives in the file first. Default: false'),
})
export const StoriesImportResult = z
  .object({
    summaries: z.array(
      z.object({
        narrative_id: NarrativeId,
        imported_stories_count: count('Number of new stories'),
        repeated_stories_count: count('Number of rows whose story already existed'),
        deleted_stories_count: count('Number of deleted stories'),
      }),
    ),
    ...recorded,
  })
  .describe('The result for each narrative in the file')

export const StoryCounts = z
  .object({
    counts: z.array(z.object({ narrative_id: NarrativeId, stories_count: count('Number of stories') })),
  })
  .describe('The number of stories of each narrative')

export type StoryCounts = z.infer<typeof StoryCounts>
export type StoriesImportResult = z.infer<typeof StoriesImportResult>
export const importStories = onceOf('Import stories from a file', StoriesImport, StoriesImportResult)

export const countStories = {
  summary: 'Count the stories of narratives',
  querystring: z.strictObject({ narrative_ids: IdList.describe('Ids of the narratives') }),
  response: { 200: StoryCounts },
}
