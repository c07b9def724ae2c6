import * as api from '@watchdesk/contract/stories-import'
import { call } from '../../api/call.ts'
import { type Progress, upload } from '../../api/upload.ts'

type Import = { file: File; delete_existing_stories: boolean }
type Options = { key: string; signal: AbortSignal; onProgress: (progress: Progress) => void }

export function importStories({ file, delete_existing_stories }: Import, { key, signal, onProgress }: Options) {
  // In this order: a server that streams the body knows the option before it reads the file.
  const body = { delete_existing_stories: delete_existing_stories ? 'true' : 'false', file } as const
  return upload(api.importStories, { body, headers: { 'idempotency-key': key }, signal }, onProgress)
}

/** Keeps the URL short enough for every server and proxy. */
const IDS_PER_CALL = 500

/** The current number of stories per narrative. */
export async function storyCounts(narrative_ids: number[]) {
  const counts: api.StoryCounts['counts'] = []
  for (let start = 0; start < narrative_ids.length; start += IDS_PER_CALL) {
    const query = { narrative_ids: narrative_ids.slice(start, start + IDS_PER_CALL) }
    counts.push(...(await call(api.countStories, { query })).counts)
  }
  return counts
}
