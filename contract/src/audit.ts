import type * as schema from './audit.schema.ts'
import type { Endpoint } from './endpoint.ts'
import type { ListOptions } from './list.ts'

export type { AuditAction, AuditEntity, AuditEvent, AuditQuery } from './audit.schema.ts'

export const auditList = { isNewestFirst: true } as const satisfies ListOptions

export const listAuditEvents: Endpoint<typeof schema.listAuditEvents> = {
  method: 'GET',
  url: '/api/v1/audit/',
  config: { access: 'super_admin' },
}
