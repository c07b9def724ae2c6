import type { Endpoint } from './endpoint.ts'
import { TIMEOUT_MS } from './limits.ts'
import type * as schema from './users-import.schema.ts'

export type { FoundUser, UsersImport, UsersImported } from './users-import.schema.ts'

export const findUsers: Endpoint<typeof schema.findUsers> = {
  method: 'POST',
  url: '/api/v1/users/find',
  config: { access: 'workspace_admin', is_read: true },
}

export const importUsers: Endpoint<typeof schema.importUsers> = {
  method: 'POST',
  url: '/api/v1/users/import',
  // Hashing passwords is slow on purpose, and may have to wait.
  config: { access: 'workspace_admin', is_expensive: true, timeout_ms: TIMEOUT_MS.sources },
}
