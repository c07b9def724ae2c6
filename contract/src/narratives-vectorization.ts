import type { Endpoint, ListEndpoint } from './endpoint.ts'
import { TIMEOUT_MS } from './limits.ts'
import type { ListOptions } from './list.ts'
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
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.vectorization },
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

export const runList = { isNewestFirst: true } as const satisfies ListOptions

export const listRuns: ListEndpoint<typeof schema.listRuns, typeof runList> = {
  method: 'GET',
  url: '/api/v1/airflow/vectorize-narrative',
  config: { access: 'super_admin' },
  list: runList,
}

export const similarStories: Endpoint<typeof schema.similarStories> = {
  method: 'GET',
  url: '/api/v1/narratives/:id/similar',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.vectorization },
}
