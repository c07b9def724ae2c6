import type { AuditAction, AuditEntity, AuditEvent } from '@watchdesk/contract/activity'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'
import { ofMany } from './bulk-sentences.ts'
import { after, countIn, type SentenceEvent as Event, numberOf, type Sentence, verbOf } from './event-values.ts'
import { isRedo, sources, stories } from './import-sentences.ts'
import { inFormOrder, labelOf, showValue } from './labels.ts'
import { nounOf, recordOf } from './records.ts'
import * as signIns from './sign-in-sentences.ts'

const MOST_NAMED_FIELDS = 3

const ENDS: Partial<Record<AuditAction, string>> = { remove: ' for good', purge: ' from the bin after 30 days' }

/** Sentences of one kind of record that differ from the general ones. */
const SPECIAL: Partial<Record<AuditEntity, (event: Event) => Sentence | undefined>> = {
  session: signIns.session,
  token: signIns.token,
  authenticator: signIns.authenticator,
  passkey: signIns.passkey,
  recovery_codes: signIns.recoveryCodes,
  second_factor: signIns.secondFactor,
  sso_account: signIns.ssoAccount,
  link: signIns.link,
  dashboard,
  sources,
  stories,
  users: ofMany,
  workspaces: ofMany,
  dashboards: ofMany,
  sheet,
  vectorization: (event) => ({
    start: `started the vectorization of narrative ${after(event, 'narrative_id')}`,
    end: '',
  }),
  bin,
  activity,
  call: (event) => ({ start: `was not allowed to call ${after(event, 'call')}`, end: '' }),
}

/** 'changed the AI quota of', 'Atlas Media': what happened, in words. */
export function sentenceOf(event: Event): Sentence {
  return SPECIAL[event.entity]?.(event) ?? general(event)
}

/** The whole sentence as text, for names of buttons and for tests. */
export function textOf(event: Event) {
  const { start, record = '', end } = sentenceOf(event)
  return `${personOf(event)} ${start}${record}${end}`
}

export function personOf({ actor }: Pick<AuditEvent, 'actor'>) {
  return actor?.name ?? 'Somebody'
}

function general(event: Event): Sentence {
  const { action, entity } = event
  const record = nameOf(event)
  const verb = verbOf(action)
  if (action === 'update' || action === 'put_back' || action === 'renew') return changed(event, verb, record)
  // Other backends may have kinds that this console does not know.
  const isRecord = recordOf(entity) !== undefined || SPECIAL[entity] === undefined
  return {
    start: isRecord ? `${verb} the ${nounOf(entity)} ` : `${verb} `,
    record,
    end: usersWith(event) + (ENDS[action] ?? ''),
  }
}

function changed({ entity, action, changes }: Event, verb: string, record: string): Sentence {
  const fields = inFormOrder(Object.keys(changes))
  const [first] = fields
  const of = entity === 'website_config' ? 'in the' : 'of'
  if (first === undefined) return { start: `${verb} `, record, end: '' }
  const value = changes[first]?.after
  if (fields.length === 1 && action === 'update') {
    if (typeof value === 'boolean') {
      return { start: `turned ${value ? 'on' : 'off'} ${labelIn(entity, first)} for `, record, end: '' }
    }
    const end =
      SHORT_VALUES.includes(first) && typeof value === 'string' && value !== ''
        ? ` to ${showValue(entity, first, value)}`
        : ''
    return { start: `${verb} the ${labelIn(entity, first)} ${of} `, record, end }
  }
  if (fields.length > MOST_NAMED_FIELDS) {
    return { start: `${verb} ${formatNumber(fields.length)} fields ${of} `, record, end: '' }
  }
  return {
    start: `${verb} the ${list(fields.map((field) => labelIn(entity, field)))} ${of} `,
    record,
    end: '',
  }
}

/** Fields whose new value is part of the sentence. */
const SHORT_VALUES = ['status', 'type', 'country']

/** 'name, status and roles'. */
function list(words: string[]) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** The label without its capital, except for names such as PowerBI, AI and Telegram. */
function labelIn(entity: AuditEntity, field: string) {
  const label = labelOf(entity, field)
  if (field.startsWith('sources_sheet_')) return label
  return label.replace(/^[A-Z][a-z]*\b/, (word) => word.toLowerCase())
}

/** The users that were deleted or restored together with their workspace. */
function usersWith({ entity, changes }: Event) {
  const { before, after: now } = changes.users ?? {}
  const count = Math.max(Number(before ?? 0), Number(now ?? 0))
  return entity === 'workspace' && count > 0 ? ` and its ${formatCount(count, 'user')}` : ''
}

function nameOf({ entity, entity_id, record }: Event) {
  if (record) return record.name
  if (entity === 'website_config') return 'website config'
  return entity_id === null ? '' : String(entity_id)
}

/** The workspaces that it was attached to, or detached from. */
function dashboard(event: Event): Sentence | undefined {
  const { before, after: now } = event.changes.workspaces ?? {}
  const difference = numberOf(now) - numberOf(before)
  // Some of both.
  if (difference === 0 || Math.abs(difference) !== event.parts) return
  const record = nameOf(event)
  const workspaces = formatCount(event.parts, 'workspace')
  return difference > 0
    ? { start: 'attached the dashboard ', record, end: ` to ${workspaces}` }
    : { start: 'detached the dashboard ', record, end: ` from ${workspaces}` }
}

function sheet(event: Event): Sentence | undefined {
  const record = event.record?.name || after(event, 'title') || String(event.entity_id)
  if (event.action === 'undo') {
    if (isRedo(event)) return { start: 'replaced the rows of the sheet ', record, end: ' again' }
    return { start: 'put back the rows of the sheet ', record, end: '' }
  }
  if (event.action === 'update' && 'file' in event.changes)
    return { start: 'replaced the sheet ', record, end: ` with ${after(event, 'file')}` }
  if (event.action === 'delete' && event.entity_id === null) {
    const sheets = formatCount(numberOf(event.changes.sheets?.before), 'sheet')
    return { start: `moved ${sheets} to the bin`, end: `, unchanged for ${formatCount(countIn(event, 'days'), 'day')}` }
  }
  if (event.action !== 'download') return
  return { start: 'downloaded the sheet ', record, end: ` as ${after(event, 'format').toUpperCase()}` }
}

function activity(event: Event): Sentence {
  const format = after(event, 'format')
  if (event.action === 'download') {
    return {
      start: `downloaded events${format === '' ? '' : ` as ${format === 'csv' ? 'CSV' : 'JSON lines'}`}`,
      end: '',
    }
  }
  const days = countIn(event, 'days')
  const removed = formatCount(numberOf(event.changes.events?.before), 'event')
  return { start: `removed ${removed}`, end: days > 0 ? ` older than ${formatCount(days, 'day')}` : '' }
}

/** 'restored 11 of 12 records': what could not be restored is not a part of the event. */
function bin({ action, changes, parts }: Event): Sentence {
  const counts = Object.values(changes).map(({ before, after: now }) => Math.max(numberOf(before), numberOf(now)))
  const count = counts.reduce((sum, each) => sum + each, 0)
  const some = action === 'restore' && parts < count ? `${formatNumber(parts)} of ` : ''
  return { start: `${verbOf(action)} ${some}${formatCount(count, 'record')}`, end: ENDS[action] ?? '' }
}
