import { z } from 'zod'
import { AUDIT_ACTIONS, EVENT_FILE_TYPES, isSearchable, SEARCH_TOO_SHORT, SIGN_IN_ENTITIES } from './activity.ts'
import { IfMatch, queryOf, resultOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'
import { EVENTS_AT_ONCE, LENGTH } from './limits.ts'
import { keysOf } from './list.ts'
import { RECORD_KINDS } from './records.ts'

export const AuditEntity = z.enum([
  ...keysOf(RECORD_KINDS),
  ...SIGN_IN_ENTITIES,
  /** Many at once, up to 'dashboards': the id is that of the import. */
  'sources',
  'users',
  'workspaces',
  'dashboards',
  'stories',
  'vectorization',
  'bin',
  /** The audit events themselves. */
  'activity',
  /** A rejected call; `changes` contains its route. */
  'call',
])
export const AuditAction = z.enum(keysOf(AUDIT_ACTIONS))

const EventId = field.int('Id of the event', 1024, { min: 1 })

const Cursor = z
  .string()
  .regex(/^\d{1,16}-\d{1,15}$/, 'Must be a cursor from an earlier response.')
  .meta({ examples: ['1794822000123456-1024'] })

/** For a password, it shows only that it changed. */
export const AuditEvent = field.object('The event', {
  id: EventId,
  at: field.timestamp('When it happened'),
  actor: field.objectOrNull(
    'Who did it, without an id if it was the server or an operator. Null if nobody was signed in',
    { id: field.Author.shape.id.nullable(), name: field.Author.shape.name },
  ),
  action: AuditAction,
  entity: AuditEntity.describe('What it happened to'),
  entity_id: field.Id.nullable().describe('Id of the record, if there is one'),
  record: field.objectOrNull('The record. Null if it has no name', {
    name: field.string('Name of the record at the time', 'Atlas Media'),
    detail: field.stringOrNull('What tells it from others: for a user, the email', 'olena@example.com'),
    state: z.enum(['live', 'deleted', 'gone']).describe('Whether the record exists now'),
    current_name: field.stringOrNull('Name of the record now, if it exists', 'Atlas Media'),
  }),
  workspace: field.objectOrNull('The workspace that it happened in. Null if it concerns no single workspace', {
    id: field.Id,
    name: z
      .string()
      .nullable()
      .meta({ examples: ['Atlas Media'] }),
  }),
  version: field.Version.nullable().describe(
    'Version of the record after the change. Null if the record did not change',
  ),
  changes: field.changes('The changed fields', [{ name: { before: 'Atlas', after: 'Atlas Media' } }]),
  is_cut: z.boolean().describe('Whether long values are cut. Read the event by its id for all of them'),
  parent_id: EventId.nullable().describe('Id of the event that this one is a part of'),
  parts: field.count('Number of events that are parts of this one, for example one per restored record'),
  ip: field.stringOrNull(
    'Address that the call came from. Workspace admins do not see those of people from other workspaces',
    '203.0.113.7',
  ),
})

/** Converted to UTC, because PostgreSQL supports fewer time zones and years. */
const Moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .overwrite((value) => new Date(value).toISOString())
  .refine((value) => value >= '0001', 'Must be a time in the years 1 to 9999.')
  .optional()

const RecordId = field.digits(field.Id).optional()

const AuditFilters = z.strictObject({
  entity: AuditEntity.optional().describe('Only events of this kind of record'),
  entity_id: RecordId.describe('Only events of the record with this id. Needs the kind of the record'),
  action: AuditAction.optional().describe('Only events of this action'),
  actor_id: RecordId.describe('Only events caused by the user with this id'),
  workspace_id: RecordId.describe('Only events in this workspace'),
  parent_id: field.digits(EventId).optional().describe('Only the parts of this event. Otherwise, parts are left out'),
  from: field.about(Moment, 'Only events from this date or time on', '2026-11-01'),
  to: field.about(Moment, 'Only events before this date or time', '2026-12-01'),
  search: field.about(
    field.text(LENGTH.name).refine(isSearchable, SEARCH_TOO_SHORT).optional(),
    'Any part of the name of the person or record, or of the email, in any letter case. At least three letters or digits in a row',
    'kovalenko',
  ),
  changes_only: z
    .enum(['true'])
    .optional()
    .describe('Only events that changed the record, with its versions. Includes parts of other events'),
})

export const AuditQuery = AuditFilters.extend({
  before: Cursor.optional().describe('Only events before this position: the `next` of the previous response'),
  page_size: field.about(
    field.digits(z.int().min(1).max(EVENTS_AT_ONCE)).optional(),
    `Number of events. Default: ${EVENTS_AT_ONCE / 2}`,
    20,
  ),
})

export const listAuditEvents = queryOf(
  'List events, newest first',
  AuditQuery,
  field.object('The events, and where to continue', {
    objects: z.array(AuditEvent).describe('The events'),
    next: Cursor.nullable().describe('Position after the last event. Null if there are no more events'),
    newest: Cursor.describe('Position of the first event, to ask later for newer ones'),
  }),
)

export const countNewEvents = queryOf(
  'Count the events that are newer than a position',
  AuditFilters.extend({ after: Cursor.describe('The `newest` of an earlier response') }),
  field.object('The number of events', { count: field.count('Number of newer events, at most 100') }),
)

const EventParams = z.strictObject({ id: field.digits(EventId) })

export const getAuditEvent = {
  ...resultOf('Read an event, with the whole values of its changes', AuditEvent),
  params: EventParams,
}

export const downloadAuditEvents = queryOf(
  'Download events as a file, newest first',
  AuditFilters.extend({
    format: z.enum(keysOf(EVENT_FILE_TYPES)).describe('A CSV file, or a file with one JSON object per line'),
  }),
  z.unknown(),
)

const Side = z.enum(['before', 'after']).describe('The record as it was before or after the event')

const EarlierField = z.object({
  field: field.string('Name of the field', 'status'),
  current: z.unknown().describe('Its value now'),
  earlier: z.unknown().describe('The value that it would get'),
  note: field.stringOrNull(
    'What is different from the value at that time, and why',
    'Left out, because it no longer exists: role search.',
  ),
  problem: field.stringOrNull('Why this field cannot be put back. Null if it can', 'Workspace 5 no longer exists.'),
})

export const previewPutBack = {
  ...queryOf(
    'Compare a record with how it was at the time of an event',
    z.strictObject({ side: Side }),
    field.object('The fields that differ', {
      entity: AuditEntity.describe('What kind of record it is'),
      entity_id: field.Id.nullable().describe('Id of the record, if there is one'),
      version: field.Version.describe('Version of the record now. Send it as If-Match'),
      fields: z.array(EarlierField).describe('The fields that differ'),
    }),
  ),
  params: EventParams,
}

export const putBack = {
  summary: 'Put fields of a record back to what they were at the time of an event',
  params: EventParams,
  headers: IfMatch,
  body: z.strictObject({
    side: Side,
    fields: field.about(
      z.array(field.text(LENGTH.name)).min(1, 'Choose at least one field.').max(100),
      'Names of the fields',
      ['status'],
    ),
  }),
  response: { 200: field.object('The new version of the record', { version: field.Version }) },
}

export type AuditEntity = z.infer<typeof AuditEntity>
export type AuditAction = z.infer<typeof AuditAction>
export type AuditEvent = z.infer<typeof AuditEvent>
export type AuditFilters = z.output<typeof AuditFilters>
export type AuditQuery = z.output<typeof AuditQuery>
export type AuditPage = z.infer<(typeof listAuditEvents)['response'][200]>
export type EarlierRecord = z.infer<(typeof previewPutBack)['response'][200]>
export type PutBack = z.infer<typeof putBack.body>
