import * as api from '@watchdesk/contract/stories-import'
import { type Progress, upload } from '../../api/upload.ts'

type Import = { file: File; delete_existing_stories: boolean }
type How = { key: string; signal: AbortSignal; told: (progress: Progress) => void }

export function importStories({ file, delete_existing_stories }: Import, { key, signal, told }: How) {
  // In this order: a server that reads as it arrives then knows what to do with the file.
  const body = { delete_existing_stories: delete_existing_stories ? 'true' : 'false', file } as const
  return upload(api.importStories, { body, headers: { 'idempotency-key': key }, signal }, told)
}
