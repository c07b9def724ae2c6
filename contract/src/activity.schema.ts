import { z } from 'zod'
import { AUDIT_ACTIONS, EVENT_FILE_TYPES, isSearchable, SEARCH_TOO_SHORT, SIGN_IN_ENTITIES } from './activity.ts'
import {
  Author,
  changes,
  count,
  digits,
  Id,
  IfMatch,
  int,
  string,
  stringOrNull,
  text,
  timestamp,
  Version,
} from './fields.schema.ts'
import { EVENTS_AT_ONCE, LENGTH } from './limits.ts'
import { keysOf } from './list.ts'
import { fileOf } from './page.schema.ts'
import { RECORD_KINDS } from './records.ts'

export const AuditEntity = z.enum([
  ...keysOf(RECORD_KINDS),
  ...SIGN_IN_ENTITIES,
  /** Many sources: an import, an export, or a change. The id is that of the import. */
  'sources',
  /** Many users, workspaces or dashboards that were changed at once. The id is that of the import. */
  'users',
  'workspaces',
  'dashboards',
  'stories',
  'vectorization',
  /** Several deleted records at once. */
  'bin',
  /** The audit events themselves: downloaded, or removed after the time that they are kept. */
  'activity',
  /** A rejected call; `changes` contains its route. */
  'call',
])
export const AuditAction = z.enum(keysOf(AUDIT_ACTIONS))

const EventId = int('Id of the event', 1024, { min: 1 })

/** A position between two events. */
const Cursor = z
  .string()
  .regex(/^\d{1,16}-\d{1,15}$/, 'Must be a cursor from an earlier response.')
  .meta({ examples: ['1794822000123456-1024'] })

/** A change, a rejected call or a download. For a password, it shows only that it changed. */
export const AuditEvent = z
  .object({
    id: EventId,
    at: timestamp('When it happened'),
    actor: z
      .object({ id: Author.shape.id.nullable(), name: Author.shape.name })
      .nullable()
      .describe('Who did it, without an id if it was the server or an operator. Null if nobody was signed in'),
    action: AuditAction,
    entity: AuditEntity.describe('What it happened to'),
    entity_id: Id.nullable().describe('Id of the record, if there is one'),
    record: z
      .object({
        name: string('Name of the record at the time', 'Atlas Media'),
        detail: stringOrNull('What tells it from others: for a user, the email', 'olena@example.com'),
        state: z.enum(['live', 'deleted', 'gone']).describe('Whether the record exists now'),
        current_name: stringOrNull('Name of the record now, if it exists', 'Atlas Media'),
      })
      .nullable()
      .describe('The record. Null if it has no name'),
    workspace: z
      .object({
        id: Id,
        name: z
          .string()
          .nullable()
          .meta({ examples: ['Atlas Media'] }),
      })
      .nullable()
      .describe('The workspace that it happened in. Null if it concerns no single workspace'),
    version: Version.nullable().describe('Version of the record after the change. Null if the record did not change'),
    changes: changes('The changed fields', [{ name: { before: 'Atlas', after: 'Atlas Media' } }]),
    is_cut: z.boolean().describe('Whether long values are cut. Read the event by its id for all of them'),
    parent_id: EventId.nullable().describe('Id of the event that this one is a part of'),
    parts: count('Number of events that are parts of this one, for example one per restored record'),
    ip: stringOrNull(
      'Address that the call came from. Workspace admins do not see those of people from other workspaces',
      '203.0.113.7',
    ),
  })
  .describe('The event')

/**
 * A time in a query: a date, or a timestamp with a time zone. Converted to UTC, because PostgreSQL supports fewer time
 * zones and years.
 */
const Moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .overwrite((value) => new Date(value).toISOString())
  .refine((value) => value >= '0001', 'Must be a time in the years 1 to 9999.')
  .optional()

const AuditFilters = z.strictObject({
  entity: AuditEntity.optional().describe('Only events of this kind of record'),
  entity_id: digits(Id).optional().describe('Only events of the record with this id. Needs the kind of the record'),
  action: AuditAction.optional().describe('Only events of this action'),
  actor_id: digits(Id).optional().describe('Only events caused by the user with this id'),
  workspace_id: digits(Id).optional().describe('Only events in this workspace'),
  parent_id: digits(EventId).optional().describe('Only the parts of this event. Otherwise, parts are left out'),
  from: Moment.meta({ description: 'Only events from this date or time on', examples: ['2026-11-01'] }),
  to: Moment.meta({ description: 'Only events before this date or time', examples: ['2026-12-01'] }),
  search: text(LENGTH.name)
    .refine(isSearchable, SEARCH_TOO_SHORT)
    .optional()
    .meta({
      description:
        'Any part of the name of the person or record, or of the email, in any letter case. At least three letters or digits in a row',
      examples: ['kovalenko'],
    }),
  changes_only: z
    .enum(['true'])
    .optional()
    .describe('Only events that changed the record, with its versions. Includes parts of other events'),
})

export const AuditQuery = AuditFilters.extend({
  before: Cursor.optional().describe('Only events before this position: the `next` of the previous response'),
  page_size: digits(z.int().min(1).max(EVENTS_AT_ONCE))
    .optional()
    .meta({ description: `Number of events. Default: ${EVENTS_AT_ONCE / 2}`, examples: [20] }),
})

export const listAuditEvents = {
  summary: 'List events, newest first',
  querystring: AuditQuery,
  response: {
    200: z
      .object({
        objects: z.array(AuditEvent).describe('The events'),
        next: Cursor.nullable().describe('Position after the last event. Null if there are no more events'),
        newest: Cursor.describe('Position of the first event, to ask later for newer ones'),
      })
      .describe('The events, and where to continue'),
  },
}

export const countNewEvents = {
  summary: 'Count the events that are newer than a position',
  querystring: AuditFilters.extend({ after: Cursor.describe('The `newest` of an earlier response') }),
  response: { 200: z.object({ count: count('Number of newer events, at most 100') }).describe('The number of events') },
}

const EventParams = z.strictObject({ id: digits(EventId) })

export const getAuditEvent = {
  summary: 'Read an event, with the whole values of its changes',
  params: EventParams,
  response: { 200: AuditEvent },
}

export const downloadAuditEvents = fileOf(
  'Download events as a file, newest first',
  AuditFilters.extend({
    format: z.enum(keysOf(EVENT_FILE_TYPES)).describe('A CSV file, or a file with one JSON object per line'),
  }),
)

const Side = z.enum(['before', 'after']).describe('The record as it was before or after the event')

const EarlierField = z.object({
  field: string('Name of the field', 'status'),
  current: z.unknown().describe('Its value now'),
  earlier: z.unknown().describe('The value that it would get'),
  note: stringOrNull(
    'What is different from the value at that time, and why',
    'Left out, because it no longer exists: role search.',
  ),
  problem: stringOrNull('Why this field cannot be put back. Null if it can', 'Workspace 5 no longer exists.'),
})

export const previewPutBack = {
  summary: 'Compare a record with how it was at the time of an event',
  params: EventParams,
  querystring: z.strictObject({ side: Side }),
  response: {
    200: z
      .object({
        entity: AuditEntity.describe('What kind of record it is'),
        entity_id: Id.nullable().describe('Id of the record, if there is one'),
        version: Version.describe('Version of the record now. Send it as If-Match'),
        fields: z.array(EarlierField).describe('The fields that differ'),
      })
      .describe('The fields that differ'),
  },
}

export const putBack = {
  summary: 'Put fields of a record back to what they were at the time of an event',
  params: EventParams,
  headers: IfMatch,
  body: z.strictObject({
    side: Side,
    fields: z
      .array(text(LENGTH.name))
      .min(1, 'Choose at least one field.')
      .max(100)
      .meta({ description: 'Names of the fields', examples: [['status']] }),
  }),
  response: { 200: z.object({ version: Version }).describe('The new version of the record') },
}

export type AuditEntity = z.infer<typeof AuditEntity>
export type AuditAction = z.infer<typeof AuditAction>
export type AuditEvent = z.infer<typeof AuditEvent>
export type AuditFilters = z.output<typeof AuditFilters>
export type AuditQuery = z.output<typeof AuditQuery>
export type AuditPage = z.infer<(typeof listAuditEvents)['response'][200]>
export type EarlierRecord = z.infer<(typeof previewPutBack)['response'][200]>
export type PutBack = z.infer<typeof putBack.body>
