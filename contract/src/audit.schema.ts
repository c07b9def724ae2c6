import { z } from 'zod'
import { digits, Id } from './fields.schema.ts'
import { PageQuery, pageOf } from './page.schema.ts'

export const AuditEntity = z.enum([
  'user',
  'workspace',
  'dashboard',
  'website_config',
  'session',
  'sources',
  'sheet',
  'stories',
  'vectorization',
  /** A rejected call; `changes` contains its route. */
  'call',
])
export const AuditAction = z.enum([
  'create',
  'update',
  'delete',
  'restore',
  'login',
  'login_failed',
  'logout',
  'unlock',
  'import',
  'export',
  'download',
  'denied',
])

/** A change, a rejected call or a download. For a password, it shows only that it changed. */
export const AuditEvent = z.object({
  id: z.int(),
  at: z.string(),
  actor: z.object({ id: Id, name: z.string() }).nullable(),
  action: AuditAction,
  entity: AuditEntity,
  entity_id: Id.nullable(),
  changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
  ip: z.string().nullable(),
})
/**
 * A time in a query: a date, or a timestamp with a time zone. Converted to UTC, because PostgreSQL supports fewer time
 * zones and years.
 */
const Moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .overwrite((value) => new Date(value).toISOString())
  .refine((value) => value >= '0001', 'Must be a time in the years 1 to 9999.')
  .optional()

export const AuditQuery = PageQuery.extend({
  entity: AuditEntity.optional(),
  entity_id: digits(Id).optional(),
  actor_id: digits(Id).optional(),
  from: Moment,
  to: Moment,
})

export type AuditEntity = z.infer<typeof AuditEntity>
export type AuditAction = z.infer<typeof AuditAction>
export type AuditEvent = z.infer<typeof AuditEvent>
export type AuditQuery = z.output<typeof AuditQuery>

export const listAuditEvents = {
  summary: 'List audit events, newest first',
  querystring: AuditQuery,
  response: { 200: pageOf(AuditEvent) },
}
