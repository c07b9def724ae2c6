import type { Endpoint } from './endpoint.ts'
import { TIMEOUT_MS } from './limits.ts'
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

export const listRuns: Endpoint<typeof schema.listRuns> = {
  method: 'GET',
  url: '/api/v1/airflow/vectorize-narrative',
  config: { access: 'super_admin' },
}

export const similarStories: Endpoint<typeof schema.similarStories> = {
  method: 'GET',
  url: '/api/v1/narratives/:id/similar',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.vectorization },
}
