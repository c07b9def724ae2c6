import { get, getList, post } from './endpoint.ts'
import { TIMEOUT_MS } from './limits.ts'
import type { ListFilter, ListOptions, ListQuery } from './list.ts'
import type * as schema from './narratives-vectorization.schema.ts'

export type * from './narratives-vectorization.schema.ts'

export const vectorizeNarrative = post<typeof schema.vectorizeNarrative>(
  '/airflow/vectorize-narrative',
  'super_admin',
  { is_expensive: true, timeout_ms: TIMEOUT_MS.vectorization },
)

export const vectorizationStatus = get<typeof schema.vectorizationStatus>(
  '/airflow/vectorize-narrative/:execution_date',
  'super_admin',
  { timeout_ms: TIMEOUT_MS.vectorization },
)

export const vectorizeBatch = post<typeof schema.vectorizeBatch>(
  '/airflow/vectorize-narrative/:execution_date/batch',
  'super_admin',
  { timeout_ms: TIMEOUT_MS.vectorization },
)

export const runList = {
  isNewestFirst: true,
  filters: {
    status: {
      label: 'Status',
      placeholder: 'All statuses',
      options: { queued: 'Waiting', running: 'Running', success: 'Done', failed: 'Failed' },
    },
  },
  values: { from: { label: 'From', kind: 'day' }, to: { label: 'Until', kind: 'day' } },
} as const satisfies ListOptions

export type RunFilter = ListFilter<typeof runList>
export type RunQuery = ListQuery<typeof runList>

export const listRuns = getList<typeof schema.listRuns>('/airflow/vectorize-narrative', 'super_admin', runList)

export const similarStories = get<typeof schema.similarStories>('/narratives/:id/similar', 'super_admin', {
  is_expensive: true,
  timeout_ms: TIMEOUT_MS.vectorization,
})
