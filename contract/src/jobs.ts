import { get, post, UPLOAD } from './endpoint.ts'
import type * as schema from './jobs.schema.ts'

export type * from './jobs.schema.ts'

export const createSourceJob = post<typeof schema.createSourceJob>('/source_import/jobs', 'super_admin', UPLOAD)
export const createStoriesJob = post<typeof schema.createStoriesJob>('/stories-import/jobs', 'super_admin', UPLOAD)

export const listJobs = get<typeof schema.listJobs>('/jobs/', 'super_admin', { is_polled: true })
export const getJob = get<typeof schema.getJob>('/jobs/:id', 'super_admin', { is_polled: true })
export const cancelJob = post<typeof schema.cancelJob>('/jobs/:id/cancel', 'super_admin')
