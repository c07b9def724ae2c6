import type * as schema from './audit.schema.ts'
import type { Endpoint } from './endpoint.ts'

export type { AuditAction, AuditEntity, AuditEvent, AuditQuery } from './audit.schema.ts'

export const listAuditEvents: Endpoint<typeof schema.listAuditEvents> = {
  method: 'GET',
  url: '/api/v1/audit/',
  config: { access: 'super_admin' },
}
