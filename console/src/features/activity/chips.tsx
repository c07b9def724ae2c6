import { useQuery } from '@tanstack/react-query'
import { AUDIT_ACTIONS } from '@watchdesk/contract/activity'
import { formatDay } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { labelFromName } from '../../ui/display/plain-value.ts'
import { fullName, userQuery } from '../users/queries.ts'
import { workspaceQuery } from '../workspaces/queries.ts'
import classes from './filters.module.css'
import { useActivityFilters } from './filters.tsx'
import { type ActivitySearch, SPAN_LABELS } from './search.ts'
import { ENTITY_LABELS } from './shared/kinds.ts'
import { recordOf } from './shared/records.ts'
import { useShownEvents } from './use-shown-events.ts'

const NOUNS: Partial<Record<NonNullable<ActivitySearch['entity']>, string>> = {
  session: 'Sign-ins of',
  vectorization: 'Vectorization run',
}

type ChipValue = { text: string; removed: ActivitySearch }

/** The one record whose events are shown. On a phone all filters, whose fields are out of sight. */
export function FilterChips({ areAll }: { areAll: boolean }) {
  const { search, change } = useActivityFilters()
  const record = useRecord(search)
  const others = useOthers(search, areAll)
  const chips = [record, ...others].filter((chip) => chip !== undefined)
  if (chips.length === 0) return null
  return (
    <ul className={classes.chips} aria-label="Active filters">
      {chips.map(({ text, removed }) => (
        <li key={text} className={classes.chip}>
          {text}
          <button
            type="button"
            className={classes.remove}
            aria-label={`Remove ${text}`}
            onClick={() => change(removed)}
          >
            <Icon name="close" size={16} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function useRecord(search: ActivitySearch): ChipValue | undefined {
  const events = useShownEvents(search)
  const { entity, entity_id } = search
  if (entity === undefined || entity_id === undefined) return
  const name = events.find((event) => event.record)?.record?.name ?? entity_id
  return {
    text: `${NOUNS[entity] ?? (recordOf(entity) ? labelFromName(entity) : ENTITY_LABELS[entity])} ${name}`,
    removed: { entity: undefined, entity_id: undefined },
  }
}

function useOthers(search: ActivitySearch, isOn: boolean): ChipValue[] {
  const { actor_id, entity, entity_id, action, workspace_id, time, from, to } = search
  const events = useShownEvents(search)
  const { data: user } = useQuery({
    ...userQuery(actor_id ?? 0),
    enabled: isOn && actor_id !== undefined,
    retry: false,
  })
  const { data: workspace } = useQuery({
    ...workspaceQuery(workspace_id ?? 0),
    enabled: isOn && workspace_id !== undefined,
    retry: false,
  })
  if (!isOn) return []
  const person = user ? fullName(user) : (events[0]?.actor?.name ?? actor_id)
  const days = [from && `from ${formatDay(from)}`, to && `to ${formatDay(to)}`].filter(Boolean).join(' ')
  const chips = [
    actor_id !== undefined && { text: `Person: ${person}`, removed: { actor_id: undefined } },
    entity !== undefined &&
      entity_id === undefined && { text: `Kind: ${ENTITY_LABELS[entity]}`, removed: { entity: undefined } },
    action && { text: `Action: ${AUDIT_ACTIONS[action]}`, removed: { action: undefined } },
    workspace_id !== undefined && {
      text: `Workspace: ${workspace?.name ?? workspace_id}`,
      removed: { workspace_id: undefined },
    },
    (time || days) && {
      text: `Time: ${time ? SPAN_LABELS[time] : days}`,
      removed: { time: undefined, from: undefined, to: undefined },
    },
  ]
  return chips.filter((chip) => typeof chip === 'object')
}
