import type { Endpoint, ListEndpoint } from './endpoint.ts'
import { TIMEOUT_MS } from './limits.ts'
import type { ListFilter, ListOptions, ListQuery } from './list.ts'
import type * as schema from './narratives-vectorization.schema.ts'

export type {
  Run,
  RunStatus,
  SimilarQuery,
  SimilarStories,
  Vectorization,
  VectorizationBatch,
} from './narratives-vectorization.schema.ts'

export const vectorizeNarrative: Endpoint<typeof schema.vectorizeNarrative> = {
  method: 'POST',
  url: '/api/v1/airflow/vectorize-narrative',
  config: { access: 'super_admin', is_expensive: true, timeout_ms: TIMEOUT_MS.vectorization },
}

export const vectorizationStatus: Endpoint<typeof schema.vectorizationStatus> = {
  method: 'GET',
  url: '/api/v1/airflow/vectorize-narrative/:execution_date',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.vectorization },
}

export const vectorizeBatch: Endpoint<typeof schema.vectorizeBatch> = {
  method: 'POST',
  url: '/api/v1/airflow/vectorize-narrative/:execution_date/batch',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.vectorization },
}

export const runList = {
  isNewestFirst: true,
  filters: {
    status: {
      label: 'Status',
      placeholder: 'All statuses',
      options: { queued: 'Waiting', running: 'Running', success: 'Done', failed: 'Failed' },
    },
  },
  values: {
    from: { label: 'From', kind: 'day' },
    to: { label: 'Until', kind: 'day' },
  },
} as const satisfies ListOptions

export type RunFilter = ListFilter<typeof runList>
export type RunQuery = ListQuery<typeof runList>

export const listRuns: ListEndpoint<typeof schema.listRuns, typeof runList> = {
  method: 'GET',
  url: '/api/v1/airflow/vectorize-narrative',
  config: { access: 'super_admin' },
  list: runList,
}

export const similarStories: Endpoint<typeof schema.similarStories> = {
  method: 'GET',
  url: '/api/v1/narratives/:id/similar',
  config: { access: 'super_admin', is_expensive: true, timeout_ms: TIMEOUT_MS.vectorization },
}
