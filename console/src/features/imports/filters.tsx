import '@mantine/core/styles/Combobox.layer.css'
import { Button, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { listImports } from '@watchdesk/contract/imports'
import { useState } from 'react'
import { ChoiceFilter } from '../../ui/list/filters.tsx'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { useChangeSearch, useListSearch } from '../../ui/list/use-list.ts'
import { PersonSelect } from '../users/shared/person-select.tsx'
import classes from './list.module.css'

const { filters, search: searchLabel, values } = listImports.list

/** Search, kind, state, person and days. On a phone all but the search are behind a button. */
export function ImportFilters() {
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  const [isOpen, setOpen] = useState(false)
  const { search, isFiltered, clearFilters } = useListSearch(listImports)
  const { kind, state, created_by, from, to } = search
  const count = [kind, state, created_by, from ?? to].filter((value) => value !== undefined).length
  return (
    <search className={classes.bar} aria-label="Filters">
      <SearchBox label={searchLabel} className={classes.search} />
      {isPhone && (
        <Button variant="default" className={classes.button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {count > 0 ? `Filters (${count})` : 'Filters'}
        </Button>
      )}
      {(!isPhone || isOpen) && <Fields />}
      {isFiltered && (!isPhone || isOpen) && (
        <Button variant="default" className={classes.button} onClick={clearFilters}>
          Clear
        </Button>
      )}
    </search>
  )
}

function Fields() {
  const { search } = useListSearch(listImports)
  const change = useChangeSearch()
  const { created_by, from, to } = search
  return (
    <>
      {Object.entries(filters).map(([name, filter]) => (
        <ChoiceFilter key={name} name={name} {...filter} />
      ))}
      <PersonSelect value={created_by} fallback={undefined} onChange={(id) => change({ created_by: id })} />
      <div className={classes.days}>
        <Day label={values.from.label} value={from} max={to} onChange={(day) => change({ from: day })} />
        <Day label={values.to.label} value={to} min={from} onChange={(day) => change({ to: day })} />
      </div>
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
