import { get, post, UPLOAD } from './endpoint.ts'
import type * as schema from './stories-import.schema.ts'

export type * from './stories-import.schema.ts'

export const STORIES_COLUMNS = ['narrative_id', 'message_composite_id', 'story', 'sentiment_score'] as const

type Imported = { narrative_id: number; imported_stories_count: number }

export function summaryText({ narrative_id, imported_stories_count }: Imported) {
  return `${imported_stories_count} stories imported into narrative ${narrative_id}`
}

export const importStories = post<typeof schema.importStories>('/stories-import/from-file', 'super_admin', UPLOAD)
export const countStories = get<typeof schema.countStories>('/stories-import/story-counts', 'super_admin')
