import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ListedSheet, listSheets, sheetList } from '@watchdesk/contract/sheets'
import { formatBytes, formatCount, formatMoment } from '../../ui/display/format.ts'
import { Tag } from '../../ui/display/tag.tsx'
import type { Columns } from '../../ui/list/columns.ts'
import { Filters } from '../../ui/list/filters.tsx'
import { RowButton } from '../../ui/list/row-action.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useList, useListSearch } from '../../ui/list/use-list.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'
import { usePrefetch } from '../../ui/navigation/use-prefetch.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { Page } from '../../ui/page/page.tsx'
import classes from './list.module.css'
import { sheetQuery, sheetsQuery } from './queries.ts'
import { useDeleteSheet } from './use-delete.tsx'
import { useRenameSheet } from './use-rename.ts'

const SOON_DAYS = 7

const COLUMNS: Columns<ListedSheet, typeof sheetList> = {
  id: { heading: 'ID', cell: ({ id }) => id, width: '4.75rem', isNamedOnCards: true },
  title: { heading: 'Title', cell: (sheet) => <Title sheet={sheet} />, card: 'title', tone: 'strong', isWrapped: true },
  origin: { heading: 'Origin', cell: origin, width: '10.5rem', card: 'tags', isWrapped: true },
  created_by: { heading: 'Owner', cell: ({ created_by }) => created_by?.name, width: '11%', isWrapped: true },
  size: { heading: 'Size', cell: size, width: '8rem', isWrapped: true },
  updated_at: {
    heading: 'Last changed',
    cell: ({ updated_at }) => formatMoment(updated_at),
    width: '8rem',
    tone: 'soft',
    isWrapped: true,
    isNamedOnCards: true,
  },
  days_left: { heading: 'Moves to bin', cell: leaves, width: '8rem', card: 'tags', isNamedOnCards: true },
}

function Title({ sheet: { id, title, config_keys } }: { sheet: ListedSheet }) {
  const prefetch = usePrefetch()
  return (
    <span className={classes.title}>
      <Link to="/sheets/$id" params={{ id: String(id) }} {...prefetch(sheetQuery(id))}>
        {title}
      </Link>
      {config_keys.length > 0 && (
        <span title={config_keys.join(', ')}>
          <Tag tone="teal">Used by website config</Tag>
        </span>
      )}
    </span>
  )
}

/** The import is a link. Sheets of earlier releases have none. */
function origin({ origin, created_by_import }: ListedSheet) {
  const label = sheetList.filters.origin.options[origin] ?? origin
  if (!created_by_import) return label
  return <Link {...linkTo({ to: `/imports/${created_by_import.id}`, search: {} })}>{label}</Link>
}

function size({ row_count, bytes }: ListedSheet) {
  return (
    <>
      {formatCount(row_count, 'row')} {bytes !== null && <span className={classes.bytes}>{formatBytes(bytes)}</span>}
    </>
  )
}

function leaves({ days_left }: ListedSheet) {
  if (days_left === null) return 'never'
  const text = days_left <= 1 ? 'within a day' : `in ${formatCount(days_left, 'day')}`
  return days_left <= SOON_DAYS ? <Tag tone="amber">{text}</Tag> : text
}

export function SheetsPage() {
  const list = useList(listSheets, sheetsQuery)
  const { isFiltered } = useListSearch(listSheets)
  const rename = useRenameSheet()
  const remove = useDeleteSheet()
  const canChange = useCanChange()
  const count = list.total !== undefined && formatCount(list.total, 'sheet')
  return (
    <Page
      title="Sheets"
      summary={count ? (isFiltered ? `${count} found` : count) : ' '}
      filters={<Filters of={listSheets} />}
    >
      <Table
        label="Sheets"
        list={list}
        columns={COLUMNS}
        actions={
          canChange
            ? (sheet) => (
                <>
                  <RowButton icon="pencil" label={`Rename ${sheet.title}`} onClick={() => void rename(sheet)} />
                  <RowButton icon="trash" label={`Delete ${sheet.title}`} onClick={() => remove(sheet)} />
                </>
              )
            : undefined
        }
        empty={<Empty />}
      />
    </Page>
  )
}

function Empty() {
  const { isFiltered, clearFilters } = useListSearch(listSheets)
  if (!isFiltered) return 'No sheets yet. Imports and exports of sources create them.'
  return (
    <>
      No sheets match.
      <Button variant="default" onClick={clearFilters}>
        Show all sheets
      </Button>
    </>
  )
}
