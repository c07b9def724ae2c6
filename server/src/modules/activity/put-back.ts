import { isDeepStrictEqual } from 'node:util'
import type { AuditEvent, EarlierRecord, PutBack } from '@watchdesk/contract/activity'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { wasCut } from '../../db/audit-size.ts'
import { matchesVersion } from '../../db/entity.ts'
import type { Deps } from '../../deps.ts'
import { conflict, forbidden, invalid, Problem } from '../../problem.ts'
import type { EarlierFields, Fields } from './record-kind.ts'
import { auditStore, CHANGES } from './store.ts'

type Side = PutBack['side']

/** Compares a record with how it was at the time of an event, and puts fields back with an ordinary edit. */
export function putBackStore(deps: Deps) {
  const { read } = deps
  const events = auditStore(deps)
  const { deletable, website_config } = deps.records
  const kinds: Partial<Record<string, EarlierFields>> = { website_config: website_config.fields(deps) }
  for (const { kind, fields } of Object.values(deletable)) kinds[kind] = fields?.(deps)

  return { preview, putBack }

  async function preview(actor: Actor, id: number, side: Side): Promise<EarlierRecord> {
    const { event, version, fields } = await compare(actor, id, side)
    return { entity: event.entity, entity_id: event.entity_id, version, fields }
  }

  async function putBack(actor: Actor, id: number, { side, fields }: PutBack, ifMatch?: string) {
    const { event, record, version, ...compared } = await compare(actor, id, side)
    const chosen = compared.fields.filter(({ field }) => fields.includes(field))
    const blocked = chosen.find(({ problem }) => problem !== null)
    if (blocked?.problem) throw invalid(blocked.field, blocked.problem)
    const unknown = fields.find((field) => !Object.hasOwn(compared.values, field))
    if (unknown !== undefined) throw invalid('fields', `${unknown} is not a field that can be put back.`)
    if (chosen.length === 0 && ifMatch === undefined) return { version }
    const changed = Object.fromEntries(chosen.map(({ field, earlier }) => [field, earlier]))
    // What was compared is what is changed, even if the caller sends no version or accepts any.
    const match = ifMatch === undefined || matchesVersion(version, ifMatch) ? `"${version}"` : ifMatch
    return { version: await record.write(actor, event.entity_id ?? 0, changed, compared.values, match) }
  }

  async function compare(actor: Actor, id: number, side: Side) {
    const event = await events.get(actor, id)
    const record = kinds[event.entity]
    const isChange = event.version !== null || CHANGES.includes(event.action)
    if (!record || !isChange) throw conflict('This event did not change a record that can be put back.')
    if (event.entity !== 'user' && !actor.seesEverything) throw forbidden('Only super admins can put this back.')
    if (side === 'before' && event.action === 'create')
      throw conflict('Nothing was there before: this is the creation.')
    const current = await record.read(actor, event.entity_id ?? 0)
    if (!current) {
      const name = event.entity.replace('_', ' ')
      if (event.record?.state === 'deleted') throw conflict(`This ${name} is deleted. Restore it first.`)
      throw new Problem(404, `This ${name} no longer exists.`)
    }
    const { version, values } = current
    const then: Fields = { ...values, ...(await changedSince(event, side)) }
    const names = Object.keys(values).filter((name) => !isDeepStrictEqual(values[name], then[name]))
    const fields = await Promise.all(
      names.map(async (field) => {
        const about = { field, current: values[field] }
        if (wasCut(then[field])) return { ...about, earlier: null, note: null, problem: TOO_LONG }
        const { earlier = then[field], note = null, problem = null } = await record.check(actor, current, field, then)
        if (!isDeepStrictEqual(earlier, values[field])) return { ...about, earlier, note, problem }
        // Nothing is left to put back: the note is the reason.
        return { ...about, earlier, note: null, problem: note ?? problem }
      }),
    )
    const isListed = ({ earlier, current, problem }: EarlierRecord['fields'][number]) =>
      problem !== null || !isDeepStrictEqual(earlier, current)
    return { event, record, version, values, fields: fields.filter(isListed) }
  }

  /** The values before the first change since then, of all fields that have changed. */
  async function changedSince(event: AuditEvent, side: Side): Promise<Fields> {
    const { id, entity, entity_id } = event
    const since = side === 'before' ? sql`id >= ${id}` : sql`id > ${id}`
    // Not `is not distinct from`, which reads all events of the kind instead of the index.
    const isOfRecord = entity_id === null ? sql`entity_id is null` : sql`entity_id = ${entity_id}`
    const changes = sql`select field, value -> 'before' as before, at, id
      from audit_events cross join jsonb_each(changes) as changed (field, value)
      where entity = ${entity} and ${isOfRecord} and ${since}`
    const isSource = entity === 'source'
    const all = isSource ? sql`${changes} union all ${importsSince(event)}` : changes
    const first = sql<{ field: string; before: unknown }>`select distinct on (field) field, before
      from (${all}) as changes order by field, ${isSource ? sql`at, id` : sql`id`}`
    return Object.fromEntries((await read(first)).map(({ field, before }) => [field, before]))
  }
}

/** Imports and changes of many sources have one event for all of them, and keep what each was before. */
function importsSince({ id, entity_id }: AuditEvent) {
  return sql`select 'country', before -> 'country', operations.finished_at, operations.id
    from operation_changes join operations on operations.id = operation_id
    where entity = 'sources' and record_id = ${entity_id} and operations.finished_at > (select at from audit_events where id = ${id})`
}

const TOO_LONG = 'This value was too long to be kept when it was changed.'
