import { Button, Title } from '@mantine/core'
import { listRuns, type Run } from '@watchdesk/contract/narratives-vectorization'
import { useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { formatCount, formatDays, formatDuration, formatMoment, formatNumber } from '../../ui/display/format.ts'
import { Code } from '../../ui/display/tag.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import type { Columns } from '../../ui/list/columns.ts'
import { Filters } from '../../ui/list/filters.tsx'
import { RowButton } from '../../ui/list/row-action.tsx'
import { Table } from '../../ui/list/table.tsx'
import { type List, useListSearch } from '../../ui/list/use-list.ts'
import classes from './runs.module.css'
import { StatusTag } from './status-tag.tsx'

const COLUMNS: Columns<Run> = {
  narrative_id: {
    heading: 'Narrative',
    cell: (run) => (
      <>
        <span className={classes.onCards}>Narrative </span>
        {run.narrative_id}
      </>
    ),
    width: '5.75rem',
    card: 'title',
    tone: 'strong',
  },
  status: { heading: 'Status', cell: (run) => <StatusTag status={run.status} />, width: '5.75rem', card: 'tags' },
  progress: {
    heading: 'Progress',
    cell: (run) => (run.status === 'failed' ? <FailureReason {...run} /> : <Done {...run} />),
    width: '12.5rem',
    card: 'tags',
  },
  model: { heading: 'Model', cell: (run) => <Code>{run.model}</Code>, width: '7rem' },
  filters: { heading: 'Filters', cell: filters, tone: 'soft' },
  created_by: { heading: 'Started by', cell: (run) => run.created_by?.name, width: '8.75rem' },
  created_at: { heading: 'Started', cell: (run) => formatMoment(run.created_at), width: '12rem', tone: 'soft' },
  duration: { heading: 'Duration', cell: duration, width: '6.25rem', tone: 'soft' },
}

type RunsProps = { list: List<Run>; onOpen: (execution_date: string) => void }

/** The runs that the server stores. Renders nothing if the backend has no such list. */
export function Runs({ list, onOpen }: RunsProps) {
  const { isFiltered } = useListSearch(listRuns)
  if (isUnknown(list.error)) return null
  return (
    <section className={classes.runs} aria-labelledby="runs">
      <div className={classes.heading}>
        <Title order={2} id="runs">
          Recent runs
        </Title>
        <RunFilters />
      </div>
      <Table
        label="Recent runs"
        list={list}
        columns={COLUMNS}
        actionsWidth="3.75rem"
        actions={(run) => (
          <RowButton
            icon="eye"
            label={`Show the status of ${run.execution_date}`}
            onClick={() => onOpen(run.execution_date)}
          />
        )}
        empty={isFiltered ? 'No runs match.' : 'No runs yet. Trigger a vectorization to see its run here.'}
      />
    </section>
  )
}

function RunFilters() {
  const { search, isFiltered, clearFilters } = useListSearch(listRuns)
  const days = formatDays(search.from, search.to)
  return (
    <search className={classes.filters} aria-label="Filters of the runs">
      {days && <span className={classes.days}>Started {days}</span>}
      <Filters of={listRuns} />
      {isFiltered && (
        <Button variant="subtle" onClick={clearFilters}>
          Clear
        </Button>
      )}
    </search>
  )
}

function isUnknown(error: unknown) {
  return error instanceof ApiError && (error.status === 404 || error.status === 405)
}

const NO_REASON = 'No reason was given.'

/** One line in the table; click to expand. */
function FailureReason({ error }: Run) {
  const [isOpen, setOpen] = useState(false)
  return (
    <button type="button" className={classes.reason} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {error ?? NO_REASON}
    </button>
  )
}

export function Done({ status, stories_count, done_count, error, narrative_id }: Run) {
  if (status === 'failed') return <span className={classes.error}>{error ?? NO_REASON}</span>
  if (status === 'success') return formatCount(stories_count ?? done_count, 'story', 'stories')
  if (stories_count === null) return null
  return (
    <span className={classes.progress}>
      <Progress
        label={`Progress of narrative ${narrative_id}`}
        share={stories_count > 0 ? done_count / stories_count : 0}
      />
      <span className={classes.count}>
        {formatNumber(done_count)} of {formatNumber(stories_count)}
      </span>
    </span>
  )
}

function filters({ platforms, content_types }: Run) {
  const chosen = [...platforms, ...content_types]
  return chosen.length > 0 ? <Code>{chosen.join(', ')}</Code> : 'All stories'
}

/** For a run in progress: the time so far. */
function duration({ started_at, finished_at, status }: Run) {
  if (started_at === null) return null
  const end = finished_at ? Date.parse(finished_at) : status === 'running' ? Date.now() : undefined
  return end === undefined ? null : formatDuration(end - Date.parse(started_at))
}
