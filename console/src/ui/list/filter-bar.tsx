import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Icon } from '../display/icon.tsx'
import classes from './filter-bar.module.css'
import { Floating } from './floating.tsx'
import { SearchBox } from './search-box.tsx'
import { useChangeSearch } from './use-list.ts'

const FilterSheet = lazy(() => import('./filter-sheet.tsx').then((module) => ({ default: module.FilterSheet })))

export type ListFilter = {
  /** The start of its chip: 'Country'. */
  label: string
  /** The rest of its chip, 'Ukraine'; undefined if it is not set. */
  text: string | undefined
  /** Its search params, each undefined. */
  cleared: Record<string, undefined>
  /** Its field, which calls `onDone` after a choice. A filter without a field is set by links, and can be removed. */
  field?: (onDone: () => void, isInSheet: boolean) => ReactNode
  /** The only value of a filter that has no others. It is set at once. */
  only?: { label: string; params: Record<string, string> }
}

type FilterBarProps = {
  /** The label of the search box. Without it, the box is elsewhere on the page. */
  search?: string
  filters: ListFilter[]
  /** The button that closes the filters on a phone: 'Show sources'. */
  done: string
}

/** A search box, and then each filter as a chip that reads as a sentence. On a phone, the fields are in a sheet. */
export function FilterBar({ search, filters, done }: FilterBarProps) {
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  const { search: text } = useSearch({ strict: false })
  const change = useChangeSearch()
  const bar = useRef<HTMLElement>(null)
  const active = filters.filter((filter) => filter.text !== undefined)

  /** The pressed button disappears, which would lose the focus. */
  function remove(params: Record<string, undefined>) {
    bar.current?.querySelector<HTMLElement>('[data-add]')?.focus()
    change(params)
  }

  return (
    <search ref={bar} className={classes.bar} data-alone={!search || undefined} aria-label="Filters">
      {search && <SearchBox label={search} className={classes.search} />}
      {isPhone && <SheetButton filters={filters} count={active.length} done={done} />}
      {active.length > 0 && (
        <ul className={classes.chips} aria-label="Active filters">
          {active.map((filter) => (
            <li key={filter.label} className={classes.chip}>
              {isPhone ? <span className={classes.value}>{textOf(filter)}</span> : <EditButton filter={filter} />}
              <button
                type="button"
                className={classes.remove}
                aria-label={`Remove ${textOf(filter)}`}
                onClick={() => remove(filter.cleared)}
              >
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isPhone && <AddButton filters={filters} />}
      {(active.length > 0 || (search && text !== undefined)) && (
        <Button
          variant="subtle"
          onClick={() =>
            remove(Object.assign(search ? { search: undefined } : {}, ...filters.map(({ cleared }) => cleared)))
          }
        >
          Clear
        </Button>
      )}
    </search>
  )
}

function textOf({ label, text }: ListFilter) {
  return `${label}: ${text}`
}

/** A chip that opens its field. */
function EditButton({ filter }: { filter: ListFilter }) {
  const [isOpen, setOpen] = useState(false)
  if (!filter.field) return <span className={classes.value}>{textOf(filter)}</span>
  return (
    <Floating
      isOpen={isOpen}
      onChange={setOpen}
      target={
        <button type="button" className={classes.value} onClick={() => setOpen(!isOpen)}>
          {textOf(filter)}
        </button>
      }
    >
      <Field>{filter.field(() => setOpen(false), false)}</Field>
    </Floating>
  )
}

/** Offers the filters that are not set, and then the field of the chosen one. */
function AddButton({ filters }: { filters: ListFilter[] }) {
  const [open, setOpen] = useState<'choices' | ListFilter['label']>()
  const unset = filters.filter(({ field, only, text }) => (field || only) && text === undefined)
  const change = useChangeSearch()
  const chosen = filters.find(({ label }) => label === open)
  const close = () => setOpen(undefined)
  return (
    <Floating
      isOpen={open !== undefined}
      onChange={(isOpen) => !isOpen && close()}
      target={
        <Button
          variant="default"
          data-add
          leftSection={<Icon name="plus" size={16} />}
          disabled={unset.length === 0 && open === undefined}
          onClick={() => setOpen(open === undefined ? 'choices' : undefined)}
        >
          Add filter
        </Button>
      }
    >
      {chosen?.field ? (
        <Field key={chosen.label}>{chosen.field(close, false)}</Field>
      ) : (
        <div className={classes.choices}>
          {unset.map(({ label, only }, index) => (
            <button
              key={label}
              type="button"
              className={classes.choice}
              data-autofocus={index === 0 || undefined}
              onClick={() => {
                if (only) change(only.params)
                setOpen(only ? undefined : label)
              }}
            >
              {only?.label ?? label}
            </button>
          ))}
        </div>
      )}
    </Floating>
  )
}

/** Focuses the field once it has loaded, also when it replaces the choices in an open popover. */
function Field({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return (
    <div ref={place} className={classes.field}>
      {children}
    </div>
  )
}

function SheetButton({ filters, count, done }: { filters: ListFilter[]; count: number; done: string }) {
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <Button variant="default" data-add aria-expanded={isOpen === true} onClick={() => setOpen(true)}>
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      {isOpen !== undefined && (
        <Suspense>
          <FilterSheet isOpen={isOpen} onClose={() => setOpen(false)} done={done}>
            {filters.map((filter) => (
              <Suspense key={filter.label}>
                {filter.field?.(() => {}, true) ?? (filter.only && <OnlyBox of={filter} only={filter.only} />)}
              </Suspense>
            ))}
          </FilterSheet>
        </Suspense>
      )}
    </>
  )
}

function OnlyBox({ of: { text, cleared }, only }: { of: ListFilter; only: NonNullable<ListFilter['only']> }) {
  const change = useChangeSearch()
  return (
    <label className={classes.box}>
      <input
        type="checkbox"
        checked={text !== undefined}
        onChange={({ currentTarget }) => change(currentTarget.checked ? only.params : cleared)}
      />
      {only.label}
    </label>
  )
}
