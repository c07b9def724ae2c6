import type { Endpoint } from './endpoint.ts'
import type * as schema from './jobs.schema.ts'
import { TIMEOUT_MS } from './limits.ts'

export type { Job, JobKind, JobProgress } from './jobs.schema.ts'

const upload = {
  access: 'super_admin',
  timeout_ms: TIMEOUT_MS.stories,
  content_type: 'multipart/form-data',
  is_import: true,
} as const

export const createSourceJob: Endpoint<typeof schema.createSourceJob> = {
  method: 'POST',
  url: '/api/v1/source_import/jobs',
  config: upload,
}

export const createStoriesJob: Endpoint<typeof schema.createStoriesJob> = {
  method: 'POST',
  url: '/api/v1/stories-import/jobs',
  config: upload,
}

export const listJobs: Endpoint<typeof schema.listJobs> = {
  method: 'GET',
  url: '/api/v1/jobs/',
  config: { access: 'super_admin', is_polled: true },
}

export const getJob: Endpoint<typeof schema.getJob> = {
  method: 'GET',
  url: '/api/v1/jobs/:id',
  config: { access: 'super_admin', is_polled: true },
}

export const cancelJob: Endpoint<typeof schema.cancelJob> = {
  method: 'POST',
  url: '/api/v1/jobs/:id/cancel',
  config: { access: 'super_admin' },
}
