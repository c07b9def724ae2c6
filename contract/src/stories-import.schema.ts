import { z } from 'zod'
import { onceOf, queryOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'
import { recorded } from './operations/operations.schema.ts'
import { IdList } from './page.schema.ts'

const NarrativeId = field.Id.describe('Id of the narrative')

/** A multipart form: `delete_existing_stories` arrives as text. */
export const StoriesImport = z.strictObject({
  file: z.file(field.missing('File is required')).describe('A .csv or .xlsx file'),
  delete_existing_stories: z
    .enum(['true', 'false'])
    .optional()
    .describe('Whether to delete the existing stories of the narratives in the file first. Default: false'),
})
export const StoriesImportResult = field.object('The result for each narrative in the file', {
  summaries: z.array(
    z.object({
      narrative_id: NarrativeId,
      imported_stories_count: field.count('Number of new stories'),
      repeated_stories_count: field.count('Number of rows whose story already existed'),
      deleted_stories_count: field.count('Number of deleted stories'),
    }),
  ),
  ...recorded,
})

export const StoryCounts = field.object('The number of stories of each narrative', {
  counts: z.array(z.object({ narrative_id: NarrativeId, stories_count: field.count('Number of stories') })),
})

export type StoryCounts = z.infer<typeof StoryCounts>
export type StoriesImportResult = z.infer<typeof StoriesImportResult>
export const importStories = onceOf('Import stories from a file', StoriesImport, StoriesImportResult)

export const countStories = queryOf(
  'Count the stories of narratives',
  z.strictObject({ narrative_ids: IdList.describe('Ids of the narratives') }),
  StoryCounts,
)
