import { get, post, UPLOAD } from './endpoint.ts'
import type * as schema from './jobs.schema.ts'

export type * from './jobs.schema.ts'

export const createSourceJob = post<typeof schema.createSourceJob>('/api/v1/source_import/jobs', 'super_admin', UPLOAD)
export const createStoriesJob = post<typeof schema.createStoriesJob>(
  '/api/v1/stories-import/jobs',
  'super_admin',
  UPLOAD,
)

export const listJobs = get<typeof schema.listJobs>('/api/v1/jobs/', 'super_admin', { is_polled: true })
export const getJob = get<typeof schema.getJob>('/api/v1/jobs/:id', 'super_admin', { is_polled: true })
export const cancelJob = post<typeof schema.cancelJob>('/api/v1/jobs/:id/cancel', 'super_admin')
