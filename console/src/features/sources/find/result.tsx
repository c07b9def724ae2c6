import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { csvLine } from '@watchdesk/contract/csv'
import type { FoundAddress } from '@watchdesk/contract/sources'
import { Icon } from '../../../ui/display/icon.tsx'
import { Code, Tag } from '../../../ui/display/tag.tsx'
import { useCopy } from '../../../ui/display/use-copy.ts'
import { saveFile } from '../../../ui/file/save-file.ts'
import type { Columns } from '../../../ui/list/columns.ts'
import { FilterChip, FilterChips } from '../../../ui/list/filter-chips.tsx'
import { Table } from '../../../ui/list/table.tsx'
import { useChangeSearch } from '../../../ui/list/use-list.ts'
import { useBackState } from '../../../ui/navigation/back-link.ts'
import { Changing } from '../../../ui/page/can-change.tsx'
import { reasonOf } from '../../operations/shared/reasons.ts'
import { Country } from '../cells.tsx'
import { AddMissing } from './add-missing.tsx'
import { countsOf, OUTCOMES, type Outcome, outcomeOf, summaryOf } from './outcomes.ts'
import classes from './page.module.css'

const PAGE_SIZE = 50

/** The place of the address among the others is its only identity. */
type Row = FoundAddress & { id: number }

const COLUMNS: Columns<Row> = {
  written: { heading: 'Address', cell: ({ written }) => written, card: 'title', tone: 'strong' },
  outcome: { heading: 'Result', cell: ({ outcome }) => <OutcomeTag outcome={outcome} />, width: '9rem', card: 'tags' },
  source: { heading: 'Source', cell: (row) => <SourceLink {...row} />, width: '35%', isWrapped: true },
  platform: { heading: 'Platform', cell: ({ source }) => source && <Code>{source.platform}</Code>, width: '8rem' },
  country: { heading: 'Country', cell: ({ source }) => source?.id && <Country code={source.country} />, width: '12%' },
}

function OutcomeTag({ outcome }: { outcome: Outcome }) {
  const { label, tone } = OUTCOMES[outcome]
  return <Tag tone={tone}>{label}</Tag>
}

/** The source, or why the address is none: the same reason as after an import. */
function SourceLink({ source, outcome }: FoundAddress) {
  const backState = useBackState()
  if (source === null) return <span className={classes.reason}>{reasonOf(outcome, 'source_import')}</span>
  if (source.id === null) return source.url
  return (
    <Link to="/sources/$id" params={{ id: String(source.id) }} state={backState}>
      {source.url}
    </Link>
  )
}

type FindResultProps = { found: FoundAddress[]; isOutdated: boolean; onAdded: () => Promise<void> }

export function FindResult({ found, isOutdated, onAdded }: FindResultProps) {
  const search = useSearch({ from: '/signed-in/sources/find' })
  const change = useChangeSearch()
  const outcome = outcomeOf(search.outcome)
  const all = found.map((address, id): Row => ({ ...address, id }))
  const shown = outcome ? all.filter((row) => row.outcome === outcome) : all
  const page = Math.min(search.page ?? 1, Math.max(1, Math.ceil(shown.length / PAGE_SIZE)))
  const counts = countsOf(found)
  const list = {
    rows: shown.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    isChanging: isOutdated,
    error: null,
    retry: () => {},
    pages: { page, size: PAGE_SIZE, total: shown.length, prefetch: () => {} },
  }
  return (
    <section aria-labelledby="result">
      <div className={classes.top}>
        <div>
          <h2 id="result" className={classes.heading}>
            Result
          </h2>
          <p className={classes.summary}>{summaryOf(found)}</p>
        </div>
        <GroupActions rows={shown} name={outcome} />
      </div>
      <FilterChips label="Filter by result">
        <FilterChip
          label="All"
          count={found.length}
          isOn={outcome === undefined}
          onClick={() => change({ outcome: undefined })}
        />
        {counts.map(({ each, count }) => (
          <FilterChip
            key={each}
            label={OUTCOMES[each].label}
            tone={OUTCOMES[each].tone}
            count={count}
            isOn={outcome === each}
            disabled={count === 0}
            onClick={() => change({ outcome: outcome === each ? undefined : each })}
          />
        ))}
      </FilterChips>
      <Changing>
        <AddMissing found={found} onAdded={onAdded} />
      </Changing>
      <Table label="Addresses" list={list} columns={COLUMNS} empty="No addresses with this result." />
    </section>
  )
}

/** Copies or downloads the addresses that are shown. */
function GroupActions({ rows, name = 'all' }: { rows: Row[]; name?: string | undefined }) {
  const { outcome, copy } = useCopy()

  function save() {
    const lines = rows.map(({ written, outcome, source }) =>
      csvLine([written, OUTCOMES[outcome].label, source?.url ?? '', source?.platform ?? '', source?.country ?? '']),
    )
    const header = csvLine(['address', 'result', 'source_url', 'platform', 'source_country'])
    // With a byte order mark, so that Excel detects UTF-8.
    const file = new Blob(['\uFEFF', header, ...lines], { type: 'text/csv;charset=utf-8' })
    saveFile(file, `addresses-${name.replaceAll(' ', '-').toLowerCase()}.csv`)
  }

  return (
    <div className={classes.actions}>
      <Button
        variant="default"
        leftSection={<Icon name="copy" />}
        onClick={() => copy(rows.map(({ written }) => written).join('\n'))}
      >
        {outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Not copied' : 'Copy'}
      </Button>
      <Button variant="default" leftSection={<Icon name="download" />} onClick={save}>
        Download CSV
      </Button>
    </div>
  )
}
