import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type BinRecord, listBin } from '@watchdesk/contract/bin'
import { DAYS_IN_BIN, RESTORED_AT_ONCE } from '@watchdesk/contract/limits'
import { DELETABLE_KINDS } from '@watchdesk/contract/records'
import { formatCount, formatMoment } from '../../ui/display/format.ts'
import { labelFromName } from '../../ui/display/plain-value.ts'
import { Tag } from '../../ui/display/tag.tsx'
import type { Columns } from '../../ui/list/columns.ts'
import { Filters } from '../../ui/list/filters.tsx'
import { RowButton } from '../../ui/list/row-action.tsx'
import { SelectionBar } from '../../ui/list/selection-bar.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useList, useListSearch } from '../../ui/list/use-list.ts'
import { useSelection } from '../../ui/list/use-selection.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { Page } from '../../ui/page/page.tsx'
import { currentUserQuery, seesEverything } from '../auth/queries.ts'
import classes from './bin.module.css'
import { KINDS } from './kinds.ts'
import { binQuery } from './queries.ts'
import { keyOf, removedIn } from './records.ts'
import { useBinActions } from './use-bin-actions.ts'
import { useRestoreMany } from './use-restore-many.tsx'

const SOON_DAYS = 3
/** British, for no comma before the last. */
const ALL_KINDS = new Intl.ListFormat('en-GB').format(Object.values(DELETABLE_KINDS).map((kind) => kind.toLowerCase()))

const COLUMNS: Columns<BinRecord> = {
  name: { heading: 'Name', cell: ({ name }) => name, width: '16%', card: 'title', tone: 'strong', isWrapped: true },
  kind: { heading: 'Kind', cell: ({ kind }) => <Tag>{labelFromName(kind)}</Tag>, width: '6.5rem', card: 'tags' },
  detail: { heading: 'Details', cell: details, isWrapped: true },
  workspace: { heading: 'Workspace', cell: workspace, width: '12%' },
  deleted_at: { heading: 'Deleted', cell: deleted, width: '10.5rem', isWrapped: true, tone: 'soft' },
  days_left: { heading: 'Deleted for good', cell: removed, width: '8rem', card: 'tags', isNamedOnCards: true },
}

function details(record: BinRecord) {
  return (
    <>
      {KINDS[record.kind]?.contents?.(record) ?? record.detail}
      {record.problem && (
        <span className={classes.problem} data-block>
          {record.problem.text}
        </span>
      )}
    </>
  )
}

function deleted({ deleted_at, deleted_by }: BinRecord) {
  return (
    <>
      {formatMoment(deleted_at)} {deleted_by && <span className={classes.author}>by {deleted_by.name}</span>}
    </>
  )
}

function removed(record: BinRecord) {
  const text = removedIn(record)
  return record.days_left <= SOON_DAYS ? <Tag tone="amber">{text}</Tag> : text
}

function workspace({ workspace, problem }: BinRecord) {
  if (!workspace || problem?.reason === 'workspace_deleted') return workspace?.name
  return (
    <Link to="/workspaces/$id" params={{ id: String(workspace.id) }}>
      {workspace.name}
    </Link>
  )
}

export function BinPage() {
  const list = useList(listBin, binQuery)
  const { data: me } = useQuery(currentUserQuery)
  const { isFiltered } = useListSearch(listBin)
  const selection = useSelection(keyOf, (record: BinRecord) => `Select ${record.name}`)
  const { restore, remove, pending } = useBinActions()
  const canChange = useCanChange()
  const { run, progress } = useRestoreMany(selection)
  const isTooMany = selection.chosen.length > RESTORED_AT_ONCE
  const count = list.total !== undefined && formatCount(list.total, isFiltered ? 'record' : 'deleted record')

  return (
    <Page
      title="Bin"
      summary={count ? (isFiltered ? `${count} found` : `${count}. Each is kept for ${DAYS_IN_BIN} days.`) : ' '}
      filters={<Filters of={listBin} />}
    >
      <Table
        label="Deleted records"
        list={list}
        columns={COLUMNS}
        keyOf={keyOf}
        selection={selection}
        bar={
          <SelectionBar selection={selection} pending={progress || undefined}>
            {isTooMany && `At most ${RESTORED_AT_ONCE} at once`}
            <Button size="compact-sm" disabled={isTooMany} onClick={() => void run()}>
              Restore
            </Button>
          </SelectionBar>
        }
        actionsWidth="8rem"
        actions={
          canChange
            ? (record) => (
                <span className={classes.actions}>
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`Restore ${record.name}`}
                    disabled={record.problem !== null && record.problem.reason !== 'email_taken'}
                    loading={pending === keyOf(record)}
                    onClick={() => void restore(record)}
                  >
                    Restore
                  </Button>
                  {me?.is_super_admin && (
                    <RowButton icon="trash" label={`Delete ${record.name} for good`} onClick={() => remove(record)} />
                  )}
                </span>
              )
            : undefined
        }
        empty={<Empty />}
      />
    </Page>
  )
}

function Empty() {
  const { isFiltered, clearFilters } = useListSearch(listBin)
  const { data: me } = useQuery(currentUserQuery)
  if (isFiltered) {
    return (
      <>
        No deleted records match.
        <Button variant="default" onClick={clearFilters}>
          Show all
        </Button>
      </>
    )
  }
  const what = seesEverything(me) ? labelFromName(ALL_KINDS) : 'Users of your workspace'
  return `The bin is empty. ${what} that are deleted appear here for ${DAYS_IN_BIN} days, and can be restored.`
}
