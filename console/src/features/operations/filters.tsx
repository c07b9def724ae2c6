import { useQuery } from '@tanstack/react-query'
import type { Filter } from '@watchdesk/contract/list'
import { listOperations, type Operation } from '@watchdesk/contract/operations/operations'
import { formatDays } from '../../ui/display/format.ts'
import { FilterBar, type ListFilter } from '../../ui/list/filter-bar.tsx'
import { ChoiceField, DayFields } from '../../ui/list/filter-fields.tsx'
import { useChangeSearch, useListSearch } from '../../ui/list/use-list.ts'
import { fullName, userQuery } from '../users/queries.ts'
import { PersonSelect } from '../users/shared/person-select.tsx'

const { filters: CHOICES, search: SEARCH } = listOperations.list

/** The filters in the address, as chips. `rows` are those that match: they know the name of a deleted person. */
export function OperationFilters({ rows }: { rows: Operation[] | undefined }) {
  const { search } = useListSearch(listOperations)
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
      text: formatDays(from, to),
      cleared: { from: undefined, to: undefined },
      field: (_, isInSheet) => (
        <DayFields
          isInSheet={isInSheet}
          from={{ label: 'From', value: from, onChange: (day) => change({ from: day }) }}
          to={{ label: 'Until', value: to, onChange: (day) => change({ to: day }) }}
        />
      ),
    },
  ]

  function choice(param: keyof typeof CHOICES, value: string | undefined): ListFilter {
    const { label, options }: Filter = CHOICES[param]
    return {
      label,
      text: value && options[value],
      cleared: { [param]: undefined },
      field: (onDone, isInSheet) => (
        <ChoiceField
          of={CHOICES[param]}
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
function usePersonName(id: number | undefined, rows: Operation[] | undefined) {
  const [first] = rows ?? []
  const isEmpty = id !== undefined && rows?.length === 0
  const { data } = useQuery({ ...userQuery(id ?? 0), enabled: isEmpty, retry: false })
  if (first?.created_by?.id === id) return first?.created_by?.name
  return data && fullName(data)
}
