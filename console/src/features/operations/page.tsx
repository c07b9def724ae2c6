import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Operation } from '@watchdesk/contract/operations/operations'
import { useEffect } from 'react'
import { formatBytes, formatCount, formatDuration, formatMoment } from '../../ui/display/format.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { linkTo, usePreviousPage } from '../../ui/navigation/back-link.ts'
import { isRecordId } from '../../ui/navigation/record-id.ts'
import { MissingRecord } from '../../ui/page/missing-record.tsx'
import { Page } from '../../ui/page/page.tsx'
import { OperationActions } from './actions.tsx'
import { Outcomes } from './outcomes.tsx'
import { isUnfinished, operationQuery } from './queries.ts'
import { Rows } from './rows.tsx'
import { durationOf, hasOutcomes, kindOf, titleOf } from './shared/words.ts'
import { OperationStatus } from './status.tsx'

const LIST = { to: '/imports', search: {} }

export function OperationPage() {
  const { id } = useParams({ from: '/signed-in/imports/$id' })
  if (!isRecordId(id)) return <MissingRecord record="Import" back={{ label: 'Go to Imports', link: linkTo(LIST) }} />
  return <ViewOperation key={id} id={Number(id)} />
}

function ViewOperation({ id }: { id: number }) {
  const { data: shown, error, refetch } = useQuery(operationQuery(id))
  const previous = usePreviousPage()
  const list = linkTo(previous?.to === LIST.to ? previous : LIST)
  return (
    <Page
      title={shown ? titleOf(shown) : 'Import'}
      above={<Link {...list}>Imports</Link>}
      summary={shown ? describe(shown) : ' '}
      filters={shown && <OperationActions shown={shown} />}
    >
      {shown ? (
        <>
          <OperationStatus shown={shown} />
          {!isUnfinished(shown) && shown.rows_count !== null && shown.rows_count > 0 && <OutcomeRows shown={shown} />}
        </>
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} back={{ label: 'Go to Imports', link: list }} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function OutcomeRows({ shown }: { shown: Operation }) {
  const { outcome: wanted } = useSearch({ from: '/signed-in/imports/$id' })
  const outcome = wanted !== undefined && hasOutcomes(shown) && Object.hasOwn(shown.counts, wanted) ? wanted : undefined
  // Removes an outcome from the address that the import does not have.
  const navigate = useNavigate()
  const isUnknown = outcome !== wanted
  useEffect(() => {
    if (isUnknown) void navigate({ to: '.', search: {}, state: true, replace: true, resetScroll: false })
  }, [isUnknown, navigate])
  return (
    <>
      {hasOutcomes(shown) && <Outcomes shown={shown} outcome={outcome} />}
      <Rows key={outcome ?? ''} shown={shown} outcome={outcome} />
    </>
  )
}

/** 'Source import by Vera Moroz on Nov 17, 2026, 1:22 AM · 1.2 MB · 3.4 s'. */
function describe(shown: Operation) {
  const { created_by, created_at, bytes, skipped_count } = shown
  const by = created_by ? ` by ${created_by.name}` : ''
  const duration = isUnfinished(shown) ? undefined : durationOf(shown)
  return [
    `${kindOf(shown)}${by} on ${formatMoment(created_at)}`,
    bytes !== null && formatBytes(bytes),
    skipped_count > 0 && `${formatCount(skipped_count, 'row')} skipped in the preview`,
    duration !== undefined && `took ${formatDuration(duration)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
