import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { listOperations, type Operation } from '@watchdesk/contract/operations/operations'
import { formatBytes, formatDuration, formatMoment, formatNumber } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Tags } from '../../ui/display/tag.tsx'
import type { Columns } from '../../ui/list/columns.ts'
import { Table } from '../../ui/list/table.tsx'
import { useList, useListSearch } from '../../ui/list/use-list.ts'
import { useBackState } from '../../ui/navigation/back-link.ts'
import { Changing } from '../../ui/page/can-change.tsx'
import { Page } from '../../ui/page/page.tsx'
import { SmallJobProgress } from '../jobs/shared/job-progress.tsx'
import { OperationFilters } from './filters.tsx'
import classes from './list.module.css'
import { SmallOutcomeBar } from './outcome-bar.tsx'
import { isUnfinished, operationsQuery } from './queries.ts'
import { durationOf, hasOutcomes, kindOf, resultText, titleOf } from './shared/words.ts'
import { StateTag, UndoneTag, VerifiedMark } from './state-tag.tsx'

const COLUMNS: Columns<Operation> = {
  name: { heading: 'Name', cell: (row) => <What {...row} />, width: '27%', card: 'title', isWrapped: true },
  result: { heading: 'Result', cell: result, isWrapped: true },
  state: { heading: 'State', cell: state, width: '8.5rem', card: 'tags', isWrapped: true },
  verification: { heading: 'Proof', cell: (row) => <VerifiedMark {...row} />, width: '6.5rem', card: 'tags' },
  created_at: { heading: 'Started', cell: started, width: '12rem', isWrapped: true, tone: 'soft' },
  duration: { heading: 'Duration', cell: duration, width: '6.25rem', tone: 'soft' },
}

export function OperationsPage() {
  const list = useList(listOperations, operationsQuery)
  const { isFiltered, clearFilters } = useListSearch(listOperations)
  const count = list.total !== undefined && formatNumber(list.total)
  return (
    <Page
      title="Imports and changes"
      summary={
        count
          ? isFiltered
            ? `${count} found`
            : `${count} in total: imports, exports, changes of many records, and undos`
          : ' '
      }
      filters={
        <Button
          variant="default"
          className={classes.sheets}
          leftSection={<Icon name="file" />}
          renderRoot={(props) => <Link to="/sheets" {...props} />}
        >
          Sheets
        </Button>
      }
    >
      <OperationFilters rows={list.rows} />
      <Table
        label="Imports and changes"
        list={list}
        columns={COLUMNS}
        empty={
          isFiltered ? (
            <>
              No imports match.
              <Button variant="default" onClick={clearFilters}>
                Show all imports
              </Button>
            </>
          ) : (
            <>
              No imports yet. Imports, exports and changes of many records are listed here with the result of every row,
              and most can be undone.
              <Changing>
                <Button renderRoot={(props) => <Link to="/source_import" {...props} />}>Import sources</Button>
              </Changing>
            </>
          )
        }
      />
    </Page>
  )
}

function What(row: Operation) {
  const backState = useBackState()
  const size = row.bytes === null ? [] : [formatBytes(row.bytes)]
  const title = titleOf(row)
  const kind = kindOf(row)
  return (
    <>
      <Link to="/imports/$id" params={{ id: String(row.id) }} state={backState} className={classes.name}>
        {title}
      </Link>
      <span className={classes.kind}>{[...(kind === title ? [] : [kind]), ...size].join(' · ')}</span>
    </>
  )
}

function result(row: Operation) {
  if (isUnfinished(row)) return <SmallJobProgress shown={row} label={`Progress of ${titleOf(row)}`} />
  if (row.state === 'failed') {
    return (
      <span className={classes.error} data-block>
        {row.error ?? 'No reason was given.'}
      </span>
    )
  }
  if (row.state === 'cancelled') return 'Nothing was changed.'
  // What was changed in words says more than how many.
  const done = hasOutcomes(row) && row.summary === null ? <SmallOutcomeBar counts={row.counts} /> : resultText(row)
  return row.undone ? <span className={classes.past}>{done}</span> : done
}

function state(row: Operation) {
  return <Tags>{row.undone ? <UndoneTag {...row} /> : <StateTag state={row.state} />}</Tags>
}

function started({ created_at, created_by }: Operation) {
  return (
    <>
      {formatMoment(created_at)} {created_by && <span className={classes.author}>by {created_by.name}</span>}
    </>
  )
}

function duration(row: Operation) {
  const ms = durationOf(row)
  return ms === undefined ? null : formatDuration(ms)
}
