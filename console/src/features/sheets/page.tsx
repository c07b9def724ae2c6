import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Sheet } from '@watchdesk/contract/sheets'
import { useEffect, useState } from 'react'
import { formatCount, formatMoment } from '../../ui/display/format.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { isRecordId } from '../../ui/navigation/record-id.ts'
import { Changing } from '../../ui/page/can-change.tsx'
import { MissingRecord } from '../../ui/page/missing-record.tsx'
import { Page } from '../../ui/page/page.tsx'
import { SheetActions } from './actions.tsx'
import { ManageSheet } from './manage.tsx'
import { OutcomeFilter } from './outcome-filter.tsx'
import classes from './page.module.css'
import { rowsQuery, SECTIONS, sectionOf, sheetQuery } from './queries.ts'
import { RowGrid } from './shared/grid.tsx'

const BACK = [{ label: 'Sheets', to: '/sheets' } as const, ...Object.values(SECTIONS)].map(({ label, to }) => ({
  label: `Go to ${label}`,
  link: { to },
}))

export function SheetPage() {
  const { id } = useParams({ from: '/signed-in/sheets/$id' })
  if (!isRecordId(id)) return <MissingRecord record="Sheet" back={BACK} />
  return <ViewSheet key={id} id={Number(id)} />
}

function ViewSheet({ id }: { id: number }) {
  const { data: sheet, error, refetch } = useQuery(sheetQuery(id))
  const { outcome: wanted } = useSearch({ from: '/signed-in/sheets/$id' })
  const [problem, setProblem] = useState('')
  const outcome = wanted !== undefined && sheet?.outcomes && Object.hasOwn(sheet.outcomes, wanted) ? wanted : undefined

  // Remove an outcome from the address that the sheet does not have, or no longer has since it was replaced.
  const navigate = useNavigate()
  const isUnknown = sheet !== undefined && outcome !== wanted
  useEffect(() => {
    if (isUnknown) void navigate({ to: '.', search: {}, replace: true, resetScroll: false })
  }, [isUnknown, navigate])

  return (
    <Page
      title={sheet?.title ?? 'Sheet'}
      above={
        sheet && (
          <>
            <Link to="/sheets">Sheets</Link> · <Link to={sectionOf(sheet).to}>{sectionOf(sheet).label}</Link>
          </>
        )
      }
      summary={sheet ? describeSheet(sheet) : ' '}
      filters={
        sheet && (
          <>
            <SheetActions sheet={sheet} outcome={outcome} onProblem={setProblem} />
            <Changing>
              <ManageSheet sheet={sheet} />
            </Changing>
          </>
        )
      }
    >
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      {sheet ? (
        <>
          {sheet.outcomes && <OutcomeFilter sheet={sheet} outcome={outcome} />}
          <Rows key={`${sheet.rows_id} ${outcome}`} sheet={sheet} outcome={outcome} />
        </>
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} back={BACK} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function Rows({ sheet, outcome }: { sheet: Sheet; outcome: string | undefined }) {
  const client = useQueryClient()
  const total = outcome === undefined ? sheet.row_count : (sheet.outcomes?.[outcome] ?? 0)
  if (total > 0) {
    return (
      <RowGrid
        table={sheet}
        rows={rowsQuery({ sheet, outcome }, client)}
        total={total}
        isFiltered={outcome !== undefined}
      />
    )
  }
  return <p className={classes.empty}>This sheet has no rows. Replace it with a file that has some.</p>
}

/** '100,000 rows, created by Olena Kovalenko on Nov 15, 2026, 9:30 AM'. */
function describeSheet({ row_count, created_by, created_at }: Sheet) {
  const maker = created_by ? ` by ${created_by.name}` : ''
  return `${formatCount(row_count, 'row')}, created${maker} on ${formatMoment(created_at)}`
}
