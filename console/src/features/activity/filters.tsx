import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { AUDIT_ACTIONS, type AuditAction } from '@watchdesk/contract/activity'
import { keysOf, pick } from '@watchdesk/contract/list'
import { OPERATION_ACTIONS } from '@watchdesk/contract/operations/kinds'
import { useMemo, useState } from 'react'
import { useChangeSearch } from '../../ui/list/use-list.ts'
import { currentUserQuery, seesEverything } from '../auth/queries.ts'
import { PersonSelect } from '../users/shared/person-select.tsx'
import { WorkspaceSelect } from '../workspaces/shared/workspace-select.tsx'
import classes from './filters.module.css'
import { type ActivitySearch, activitySearch, countFilters, SPAN_LABELS } from './search.ts'
import { ENTITY_LABELS, OTHER_ENTITIES } from './shared/kinds.ts'
import { useShownEvents } from './use-shown-events.ts'

const NOTHING: ActivitySearch = {
  search: undefined,
  actor_id: undefined,
  entity: undefined,
  entity_id: undefined,
  action: undefined,
  workspace_id: undefined,
  time: undefined,
  from: undefined,
  to: undefined,
}

const { sources, workspaces, dashboards, stories, vectorization, ...OTHERS_OF_A_WORKSPACE } = OTHER_ENTITIES
const { user, workspace } = ENTITY_LABELS
const OF_A_WORKSPACE = { user, workspace, ...OTHERS_OF_A_WORKSPACE }
const isOfAWorkspace = (action: AuditAction) => action !== 'purge' && !(action in OPERATION_ACTIONS)
const ACTIONS_OF_A_WORKSPACE = pick(AUDIT_ACTIONS, keysOf(AUDIT_ACTIONS).filter(isOfAWorkspace))

/** The filters of the page, in the address. */
export function useActivityFilters() {
  const given = useSearch({ from: '/signed-in/activity' })
  const search = useMemo(() => activitySearch(given), [given])
  const change: (changes: ActivitySearch) => void = useChangeSearch()
  return { search, change, count: countFilters(search), clear: () => change(NOTHING) }
}

/** Person, kind, action, workspace and time. */
export function FilterFields() {
  const { search, change, count, clear } = useActivityFilters()
  const { data: me } = useQuery(currentUserQuery)
  const events = useShownEvents(search)
  return (
    <>
      <PersonSelect
        value={search.actor_id}
        fallback={events[0]?.actor?.name}
        onChange={(actor_id) => change({ actor_id })}
      />
      <Choice
        label="Kind"
        placeholder="All kinds"
        options={seesEverything(me) ? ENTITY_LABELS : OF_A_WORKSPACE}
        value={search.entity}
        // The id of a record belongs to its kind.
        onChange={(entity) => change({ entity, entity_id: undefined })}
      />
      <Choice
        label="Action"
        placeholder="All actions"
        options={seesEverything(me) ? AUDIT_ACTIONS : ACTIONS_OF_A_WORKSPACE}
        value={search.action}
        onChange={(action) => change({ action })}
      />
      {seesEverything(me) && (
        <WorkspaceSelect
          aria-label="Workspace"
          placeholder="All workspaces"
          clearable
          value={search.workspace_id ?? null}
          onChange={(id) => change({ workspace_id: id ?? undefined })}
        />
      )}
      <TimeFields />
      {(count > 0 || search.search !== undefined) && (
        <Button variant="default" className={classes.clear} onClick={clear}>
          Clear
        </Button>
      )}
    </>
  )
}

const CUSTOM = 'custom'
const SPANS = { ...SPAN_LABELS, [CUSTOM]: 'Custom range…' } as const

function TimeFields() {
  const { search, change } = useActivityFilters()
  const [isCustom, setCustom] = useState(false)
  const hasDays = search.from !== undefined || search.to !== undefined
  const chosen = search.time ?? (hasDays || isCustom ? CUSTOM : undefined)
  return (
    <>
      <Choice
        label="Time"
        placeholder="Any time"
        options={SPANS}
        value={chosen}
        onChange={(span) => {
          setCustom(span === CUSTOM)
          if (span === CUSTOM) change({ time: undefined })
          else change({ time: span, from: undefined, to: undefined })
        }}
      />
      {chosen === CUSTOM && (
        <div className={classes.days}>
          <Day
            label="From"
            value={search.from}
            max={search.to}
            onChange={(from) => change({ from, time: undefined })}
          />
          <Day label="To" value={search.to} min={search.from} onChange={(to) => change({ to, time: undefined })} />
        </div>
      )}
    </>
  )
}

type DayProps = { label: string; value?: string; min?: string; max?: string; onChange: (day?: string) => void }

function Day({ label, value, onChange, ...limits }: DayProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      title={label}
      // Chosen once complete: a half-typed date has no value.
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      {...limits}
    />
  )
}

type ChoiceProps<Key extends string> = {
  label: string
  placeholder: string
  options: Partial<Record<Key, string>>
  value: Key | undefined
  onChange: (value: Key | undefined) => void
}

function Choice<Key extends string>({ label, placeholder, options, value, onChange }: ChoiceProps<Key>) {
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      data={Object.entries<string | undefined>(options).map(([key, text = key]) => ({ value: key, label: text }))}
      value={value ?? null}
      onChange={(key) => onChange((key as Key | null) ?? undefined)}
    />
  )
}
