import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Input.layer.css'
import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Import, listImports } from '@watchdesk/contract/imports'
import type { Filter } from '@watchdesk/contract/list'
import { formatDay } from '../../ui/display/format.ts'
import { FilterBar, type ListFilter } from '../../ui/list/filter-bar.tsx'
import { OptionList } from '../../ui/list/option-list.tsx'
import { useChangeSearch, useListSearch } from '../../ui/list/use-list.ts'
import { fullName, userQuery } from '../users/queries.ts'
import { PersonSelect } from '../users/shared/person-select.tsx'
import classes from './list.module.css'

const { filters: CHOICES, search: SEARCH } = listImports.list

/** The filters in the address, as chips. `rows` are those that match: they know the name of a deleted person. */
export function ImportFilters({ rows }: { rows: Import[] | undefined }) {
  const { search } = useListSearch(listImports)
  const change = useChangeSearch()
  const { kind, state, created_by, from, to } = search
  const name = usePersonName(created_by, rows)
  const filters: ListFilter[] = [
    choice('kind', kind),
    choice('state', state),
    {
      label: 'Person',
      text: created_by === undefined ? undefined : (name ?? `User ${created_by}`),
      cleared: { created_by: undefined },
      field: (onDone, isInSheet) => (
        <PersonSelect
          value={created_by}
          fallback={name}
          withinPortal={isInSheet}
          onChange={(id) => {
            change({ created_by: id })
            onDone()
          }}
        />
      ),
    },
    {
      label: 'Started',
      text: daysText(from, to),
      cleared: { from: undefined, to: undefined },
      field: (_, isInSheet) => <Days isInSheet={isInSheet} from={from} to={to} onChange={change} />,
    },
  ]

  function choice(param: keyof typeof CHOICES, value: string | undefined): ListFilter {
    const filter: Filter = CHOICES[param]
    return {
      label: filter.label,
      text: value && filter.options[value],
      cleared: { [param]: undefined },
      field: (onDone, isInSheet) => (
        <Choice
          filter={filter}
          isInSheet={isInSheet}
          value={value}
          onChange={(chosen) => {
            change({ [param]: chosen })
            onDone()
          }}
        />
      ),
    }
  }

  return <FilterBar search={SEARCH} filters={filters} done="Show imports" />
}

/** All rows are of the person. If there are none, the name is asked for. */
function usePersonName(id: number | undefined, rows: Import[] | undefined) {
  const [first] = rows ?? []
  const isEmpty = id !== undefined && rows?.length === 0
  const { data } = useQuery({ ...userQuery(id ?? 0), enabled: isEmpty, retry: false })
  if (first?.created_by?.id === id) return first?.created_by?.name
  return data && fullName(data)
}

/** 'from Nov 1, 2026 until Nov 17, 2026'. */
function daysText(from: string | undefined, to: string | undefined) {
  if (from !== undefined && from === to) return `on ${formatDay(from)}`
  const parts = [from && `from ${formatDay(from)}`, to && `until ${formatDay(to)}`]
  return parts.filter(Boolean).join(' ') || undefined
}

type ChoiceProps = {
  filter: Filter
  isInSheet: boolean
  value: string | undefined
  onChange: (value: string | undefined) => void
}

function Choice({ filter: { label, placeholder, options }, isInSheet, value, onChange }: ChoiceProps) {
  const data = Object.entries(options).map(([key, text]) => ({ value: key, label: text }))
  if (!isInSheet) return <OptionList label={label} options={data} chosen={value} onChoose={onChange} />
  return (
    <Select
      label={label}
      placeholder={placeholder}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}

type DaysProps = {
  isInSheet: boolean
  from: string | undefined
  to: string | undefined
  onChange: (days: { from?: string | undefined; to?: string | undefined }) => void
}

function Days({ isInSheet, from, to, onChange }: DaysProps) {
  return (
    <div className={classes.days}>
      <TextInput
        type="date"
        label="From"
        data-autofocus={!isInSheet || undefined}
        // Chosen once complete: a half-typed date has no value.
        value={from ?? ''}
        {...(to && { max: to })}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="Until"
        value={to ?? ''}
        {...(from && { min: from })}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value || undefined })}
      />
      <p className={classes.note}>Days are in UTC.</p>
    </div>
  )
}
