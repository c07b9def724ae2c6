import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { ContentType, Platform } from './enums.ts'
import { missing, uniqueList } from './fields.ts'
import { MAX_ID, TIMEOUT_MS } from './limits.ts'

/** Also asked of the status form, where a person types or pastes it. */
export const ExecutionDate = z
  .string(missing('Execution date is required'))
  .min(1, 'Execution date is required')
  .pipe(z.iso.datetime({ offset: true, error: 'Execution date must be a time like 2026-11-15T09:30:00.000Z.' }))

export const Vectorization = z.strictObject({
  narrative_id: z.int(missing('Narrative id is required')).min(1).max(MAX_ID),
  platforms: uniqueList(Platform),
  content_types: uniqueList(ContentType),
})
export const VectorizationRun = z.object({ execution_date: z.string() })
export const VectorizationStatus = z.object({ status: z.string() })

export type Vectorization = z.infer<typeof Vectorization>

export const vectorizeNarrative = {
  method: 'POST',
  url: '/api/v1/airflow/vectorize-narrative',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.vectorization },
  schema: {
    summary: 'Trigger the vectorization of a narrative',
    body: Vectorization,
    response: { 200: VectorizationRun },
  },
} satisfies Endpoint

export const vectorizationStatus = {
  method: 'GET',
  url: '/api/v1/airflow/vectorize-narrative/:execution_date',
  config: { access: 'super_admin', timeout_ms: TIMEOUT_MS.vectorization },
  schema: {
    summary: 'How a vectorization run stands',
    params: z.strictObject({ execution_date: ExecutionDate }),
    response: { 200: VectorizationStatus },
  },
} satisfies Endpoint
