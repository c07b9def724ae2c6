import type { AuditEntity } from '@watchdesk/contract/activity'
import { keysOf } from '@watchdesk/contract/list'
import { OPERATION_KINDS } from '@watchdesk/contract/operations/kinds'
import { countryName } from '../../../ui/display/country-name.ts'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'
import { after, countIn, type SentenceEvent as Event, type Sentence } from './event-values.ts'

/** Imports, exports and changes of many sources. What was imported is a link to the import. */
export function sources(event: Event): Sentence | undefined {
  const platform = after(event, 'platform')
  const of = (count: number) => formatCount(count, `${platform} source`.trim())
  switch (event.action) {
    case 'export':
      return linked(event, 'exported ', of(countIn(event, 'exported_count')))
    case 'import':
      return imported(event, of)
    case 'update':
      return changed(event, of(countIn(event, 'changed_count')))
    case 'delete':
      return linked(event, 'removed ', of(countIn(event, 'changed_count')))
    default:
      return ofAny(event)
  }
}

function imported(event: Event, of: (count: number) => string): Sentence {
  if ('inputs_count' in event.changes) {
    const rows = formatCount(countIn(event, 'inputs_count'), 'source')
    return linked(event, 'added ', `${formatNumber(countIn(event, 'requested'))} of ${rows}`, fromFile(event))
  }
  const [created, updated] = [countIn(event, 'created_count'), countIn(event, 'updated_count')]
  const all = of(created + updated + countIn(event, 'unchanged_count'))
  return linked(event, 'imported ', all, `: ${formatNumber(created)} new, ${formatNumber(updated)} updated`)
}

export function stories(event: Event): Sentence | undefined {
  if (event.action !== 'import') return ofAny(event)
  const count = formatCount(countIn(event, 'imported_stories_count'), 'story', 'stories')
  const into = formatCount(countIn(event, 'narratives_count'), 'narrative')
  const deleted = countIn(event, 'deleted_stories_count')
  return linked(event, 'imported ', `${count} into ${into}`, deleted > 0 ? ` and deleted ${formatNumber(deleted)}` : '')
}

/** Imports, downloads, undos and cancellations of any kind of operation that has no other words for them. */
export function ofAny(event: Event): Sentence | undefined {
  const { entity, parts } = event
  switch (event.action) {
    case 'import':
      return linked(event, 'added ', countOf(parts, entity), fromFile(event))
    case 'cancel':
      return linked(event, 'cancelled ', cancelled(event))
    case 'undo':
      return linked(event, isRedo(event) ? 'redid ' : 'undid ', undone(event))
    case 'download': {
      const format = ` as ${after(event, 'format').toUpperCase()}`
      if (event.entity_id === null) return { start: `downloaded ${entity}${format}`, end: '' }
      return linked(event, 'downloaded rows of ', importOf(event), format)
    }
  }
}

/** '28 users', '1 story'. */
export function countOf(count: number, entity: AuditEntity) {
  return formatCount(count, entity.replace(/ies$/, 'ys').slice(0, -1), entity)
}

/** Events of earlier releases know neither whether they redid it nor what it was. */
export function isRedo(event: Event) {
  return after(event, 'is_redo') === 'true'
}

const CHANGES: string[] = keysOf(OPERATION_KINDS).filter((kind) => OPERATION_KINDS[kind].what === 'change')

function undone(event: Event) {
  const { entity, changes } = event
  if (!CHANGES.includes(after(event, 'origin_kind'))) return importOf(event)
  // 'users put back' and 'users restored', for example.
  const effects = Object.keys(changes).filter((field) => field.startsWith(`${entity} `))
  const count = effects.reduce((sum, effect) => sum + countIn(event, effect), 0)
  return `a change of ${countOf(count, entity)}`
}

function importOf({ entity, record }: Event) {
  return record ? `the import of ${record.name}` : `an import of ${entity}`
}

function cancelled(event: Event) {
  if ('undo' in event.changes) return `the undo of ${after(event, 'undo')}`
  if ('file' in event.changes) return `the import of ${after(event, 'file')}`
  const [what = 'job'] = Object.keys(event.changes)
  return `the ${what} “${after(event, what)}”`
}

/** Events of earlier releases do not know their import. */
export function linked({ entity_id }: Event, start: string, record: string, end = ''): Sentence {
  return entity_id === null ? { start: start + record, end } : { start, record, end }
}

function fromFile({ record }: Event) {
  return record ? ` from ${record.name}` : ''
}

function changed(event: Event, counted: string): Sentence {
  const country = after(event, 'country')
  if (country === '') return linked(event, 'removed the country of ', counted)
  return linked(event, 'changed the country of ', counted, ` to ${countryName(country)}`)
}
