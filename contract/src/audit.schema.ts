import { z } from 'zod'
import { Author, digits, Id, timestamp } from './fields.schema.ts'
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
  id: z
    .int()
    .min(1)
    .meta({ description: 'Id of the event', examples: [1024] }),
  at: timestamp('When it happened'),
  actor: Author.nullable().describe('Who did it. Null if nobody was signed in'),
  action: AuditAction,
  entity: AuditEntity.describe('What it happened to'),
  entity_id: Id.nullable().describe('Id of the changed record, if there is one'),
  changes: z
    .record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }))
    .meta({ description: 'The changed fields', examples: [{ name: { before: 'Atlas', after: 'Atlas Media' } }] }),
  ip: z
    .string()
    .nullable()
    .meta({ description: 'Address that the call came from', examples: ['203.0.113.7'] }),
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
  entity: AuditEntity.optional().describe('Only events of this kind of record'),
  entity_id: digits(Id).optional().describe('Only events of the record with this id'),
  actor_id: digits(Id).optional().describe('Only events caused by the user with this id'),
  from: Moment.meta({ description: 'Only events from this date or time on', examples: ['2026-11-01'] }),
  to: Moment.meta({ description: 'Only events before this date or time', examples: ['2026-12-01'] }),
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
