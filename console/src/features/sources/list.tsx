import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CHANGED_AT_ONCE } from '@watchdesk/contract/limits'
import { listSources, type MonitoredSource, type sourceList } from '@watchdesk/contract/sources'
import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Code } from '../../ui/display/tag.tsx'
import type { Columns } from '../../ui/list/columns.ts'
import { FilterBar } from '../../ui/list/filter-bar.tsx'
import { RowButton, RowLink } from '../../ui/list/row-action.tsx'
import { SelectionBar } from '../../ui/list/selection-bar.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useAllSelection } from '../../ui/list/use-all-selection.ts'
import { useList } from '../../ui/list/use-list.ts'
import { useBackState } from '../../ui/navigation/back-link.ts'
import { usePrefetch } from '../../ui/navigation/use-prefetch.ts'
import { Changing } from '../../ui/page/can-change.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Added, Address, Country, ImportLink } from './cells.tsx'
import { ExportMenu } from './export-menu.tsx'
import { useSourceFilters } from './filters.tsx'
import classes from './list.module.css'
import { sourceQuery, sourcesQuery } from './queries.ts'
import { useChangeMany } from './use-change-many.tsx'
import { useRemoveSource } from './use-remove.tsx'

const COLUMNS: Columns<MonitoredSource, typeof sourceList> = {
  id: { heading: 'ID', cell: ({ id }) => id, width: '4.25rem', isNamedOnCards: true },
  platform: { heading: 'Platform', cell: ({ platform }) => <Code>{platform}</Code>, width: '6.25rem', card: 'tags' },
  url: { heading: 'Address', cell: ({ url }) => <Address url={url} />, card: 'title', tone: 'strong' },
  country: { heading: 'Country', cell: ({ country }) => <Country code={country} />, width: '8rem' },
  created_at: {
    heading: 'Added',
    cell: (row) => <Added {...row} />,
    width: '10rem',
    tone: 'soft',
    isNamedOnCards: true,
  },
  import: { heading: 'Import', cell: (row) => <ImportLink of={row} />, width: '9rem', isNamedOnCards: true },
}

export function SourcesPage() {
  const list = useList(listSources, sourcesQuery)
  const { filters, filter, words, isFiltered, clearFilters } = useSourceFilters(list.rows)
  const { total } = list
  const selection = useAllSelection<MonitoredSource>({ name: ({ url }) => url, filter, total: total ?? 0 })
  const { setCountry, remove, progress } = useChangeMany({ selection, filter, words })
  const backState = useBackState()
  const prefetch = usePrefetch()
  const removeOne = useRemoveSource()
  const isTooMany = !selection.isAll && selection.count > CHANGED_AT_ONCE
  const count = total === undefined ? ' ' : formatCount(total, 'source')

  return (
    <Page
      title="Sources"
      summary={<span role="status">{total !== undefined && isFiltered ? `${count} found` : count}</span>}
      filters={
        <div className={classes.actions}>
          <ExportMenu filter={filter} />
          <Button
            variant="default"
            leftSection={<Icon name="search" />}
            renderRoot={(props) => <Link to="/sources/find" state={backState} {...props} />}
          >
            Find addresses
          </Button>
        </div>
      }
    >
      <FilterBar search={listSources.list.search} filters={filters} done="Show sources" />
      <Table
        label="Sources"
        list={list}
        columns={COLUMNS}
        selection={selection}
        bar={
          <SelectionBar selection={selection} count={selection.count} pending={progress}>
            {!selection.isAll && total !== undefined && total > selection.count && (
              <Button variant="subtle" size="compact-sm" onClick={selection.selectAll}>
                {isFiltered ? `Select all ${formatNumber(total)} that match` : `Select all ${formatNumber(total)}`}
              </Button>
            )}
            {isTooMany && `At most ${formatNumber(CHANGED_AT_ONCE)} at once, or all that match`}
            <Button variant="default" size="compact-sm" disabled={isTooMany} onClick={() => void setCountry()}>
              Set country
            </Button>
            <Button color="red" size="compact-sm" disabled={isTooMany} onClick={() => void remove()}>
              Remove
            </Button>
          </SelectionBar>
        }
        actions={(source) => (
          <>
            <RowLink
              icon="eye"
              label={`Details of ${source.url}`}
              to="/sources/$id"
              params={{ id: String(source.id) }}
              {...prefetch(sourceQuery(source.id))}
            />
            <Changing>
              <RowButton icon="trash" label={`Remove ${source.url}`} onClick={() => removeOne(source)} />
            </Changing>
          </>
        )}
        empty={<Empty isFiltered={isFiltered} onClear={clearFilters} />}
      />
    </Page>
  )
}

function Empty({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered) {
    return (
      <>
        No sources match.
        <Button variant="default" onClick={onClear}>
          Show all sources
        </Button>
      </>
    )
  }
  return (
    <>
      No sources yet. Sources appear here after an import.
      <Changing>
        <Button renderRoot={(props) => <Link to="/source_import" {...props} />}>Import sources</Button>
      </Changing>
    </>
  )
}
