import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { SourceDetails } from '@watchdesk/contract/sources'
import { lazy, type ReactNode, Suspense } from 'react'
import { formatAgo, formatMoment } from '../../ui/display/format.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { useInitialData } from '../../ui/form/use-initial-data.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'
import { isRecordId } from '../../ui/navigation/record-id.ts'
import { Changing } from '../../ui/page/can-change.tsx'
import { MissingRecord } from '../../ui/page/missing-record.tsx'
import { Page } from '../../ui/page/page.tsx'
import { useSourcesList } from './back-links.ts'
import { DetailsForm } from './details.tsx'
import { refreshSources, restoreSource, sourceQuery } from './queries.ts'
import classes from './view.module.css'
import { SourceActions } from './view-actions.tsx'

const SourceImports = lazy(() => import('./imports.tsx').then((module) => ({ default: module.SourceImports })))
const SourceHistory = lazy(() => import('./history.tsx').then((module) => ({ default: module.SourceHistory })))

const FROM = '/signed-in/sources/$id'

export function SourcePage() {
  const { id } = useParams({ from: FROM })
  const list = linkTo(useSourcesList())
  if (!isRecordId(id)) return <MissingRecord record="Source" back={{ label: 'Back to sources', link: list }} />
  return <ViewSource key={id} id={Number(id)} />
}

function ViewSource({ id }: { id: number }) {
  const list = useSourcesList()
  const { data: source, edition, error, retry, renew, restart } = useInitialData(sourceQuery(id))
  return (
    <Page
      title={source?.url ?? 'Source'}
      above={<Link {...linkTo(list)}>Sources</Link>}
      changed={source ? <LastChange source={source} /> : ' '}
      filters={source && <SourceActions source={source} onRemoved={renew} />}
    >
      {source ? (
        <>
          {source.deleted_at !== null && <Removed source={source} onRestored={renew} />}
          <SourceTabs id={id} onPutBack={renew}>
            <DetailsForm key={edition} source={source} onSaved={restart} />
          </SourceTabs>
        </>
      ) : error ? (
        <Failed error={error} retry={retry} back={{ label: 'Back to sources', link: linkTo(list) }} />
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function LastChange({ source: { created_at, updated_at, updated_by } }: { source: SourceDetails }) {
  return (
    <span title={formatMoment(updated_at)}>
      {updated_at === created_at ? 'Added' : 'Last changed'}
      {updated_by && ` by ${updated_by.name}`}, {formatAgo(updated_at)}
    </span>
  )
}

type RemovedProps = { source: SourceDetails; onRestored: () => Promise<unknown> }

function Removed({ source, onRestored }: RemovedProps) {
  const client = useQueryClient()
  async function restore() {
    try {
      await restoreSource(source)
      toastSuccess(`${source.url} restored.`)
    } catch (error) {
      toastError(error)
    }
    await onRestored()
    await refreshSources(client)
  }
  return (
    <div className={classes.removed} role="status">
      <span>
        This source was removed{source.deleted_at && ` on ${formatMoment(source.deleted_at)}`}. It is in the{' '}
        <Link to="/bin">Bin</Link>, and is not monitored.
      </span>
      <Changing>
        <Button variant="default" size="compact-md" onClick={() => void restore()}>
          Restore
        </Button>
      </Changing>
    </div>
  )
}

const TABS = { details: 'Details', imports: 'Imports', history: 'History' }

type TabsProps = { id: number; onPutBack: () => Promise<unknown>; children: ReactNode }

/** The tab is in the address. The details stay mounted, so that a change of them is not lost. */
function SourceTabs({ id, onPutBack, children }: TabsProps) {
  const { tab, history } = useSearch({ from: FROM })
  const open = history ? 'history' : (tab ?? 'details')
  return (
    <>
      <nav className={classes.tabs} aria-label="About this source">
        {Object.entries(TABS).map(([name, label]) => (
          <Link
            key={name}
            to="."
            search={{ tab: name === 'details' ? undefined : (name as 'imports' | 'history') }}
            state={true}
            resetScroll={false}
            className={classes.tab}
            aria-current={open === name ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div hidden={open !== 'details'}>{children}</div>
      {open !== 'details' && (
        <Suspense fallback={<Loading />}>
          {open === 'imports' ? <SourceImports id={id} /> : <SourceHistory id={id} onPutBack={onPutBack} />}
        </Suspense>
      )}
    </>
  )
}
