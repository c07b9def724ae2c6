import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { isSearchable, SEARCH_TOO_SHORT } from '@watchdesk/contract/activity'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { Page } from '../../ui/page/page.tsx'
import { FilterChips } from './chips.tsx'
import { Download } from './download.tsx'
import filters from './filters.module.css'
import { FilterFields, useActivityFilters } from './filters.tsx'
import { NewEvents } from './new-events.tsx'
import classes from './page.module.css'
import { filtersOf } from './search.ts'
import { Events } from './shared/events.tsx'

const FilterSheet = lazy(() => import('./filter-sheet.tsx').then((module) => ({ default: module.FilterSheet })))

export function ActivityPage() {
  const { search, count, clear } = useActivityFilters()
  // A day later, 'today' is another day: only a reload or another filter changes it.
  const query = useMemo(() => filtersOf(search), [search])
  const isFiltered = count > 0 || search.search !== undefined
  const isTooShort = search.search !== undefined && !isSearchable(search.search)
  const list = useRef<HTMLDivElement>(null)
  return (
    <Page
      title="Activity"
      summary="Who changed what, when and from where"
      filters={<div className={classes.actions}>{!isTooShort && <Download filters={query} />}</div>}
    >
      <div className={classes.card}>
        <FilterBar />
        {isTooShort ? (
          <p className={classes.note}>{SEARCH_TOO_SHORT}</p>
        ) : (
          <>
            <NewEvents filters={query} list={list} />
            <div ref={list} tabIndex={-1} className={classes.list}>
              <Events
                filters={query}
                empty={
                  isFiltered ? <NothingFound onClear={clear} /> : 'No events yet. Every change will be listed here.'
                }
              />
            </div>
          </>
        )}
      </div>
    </Page>
  )
}

function FilterBar() {
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  const { count } = useActivityFilters()
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <search className={filters.bar} aria-label="Filters">
        <SearchBox label="Search name or email" className={filters.search} />
        {isPhone ? (
          <>
            <Button
              variant="default"
              className={filters.button}
              aria-expanded={isOpen === true}
              onClick={() => setOpen(true)}
            >
              {count > 0 ? `Filters (${count})` : 'Filters'}
            </Button>
            {isOpen !== undefined && (
              <Suspense>
                <FilterSheet isOpen={isOpen} onClose={() => setOpen(false)} />
              </Suspense>
            )}
          </>
        ) : (
          <FilterFields />
        )}
      </search>
      <FilterChips areAll={isPhone === true} />
    </>
  )
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <>
      No events match.
      <Button variant="default" onClick={onClear}>
        Show all events
      </Button>
    </>
  )
}
