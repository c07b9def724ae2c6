import { post } from './endpoint.ts'
import { TIMEOUT_MS } from './limits.ts'
import type * as schema from './users-import.schema.ts'

export type * from './users-import.schema.ts'

export const findUsers = post<typeof schema.findUsers>('/users/find', 'workspace_admin', { is_read: true })

export const importUsers = post<typeof schema.importUsers>('/users/import', 'workspace_admin', {
  is_expensive: true,
  // Hashing passwords is slow on purpose, and may have to wait.
  timeout_ms: TIMEOUT_MS.sources,
})
