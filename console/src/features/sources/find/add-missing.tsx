import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { SOURCE_COLUMNS } from '@watchdesk/contract/source-row'
import type { FoundAddress } from '@watchdesk/contract/sources'
import { lazy, Suspense, useState } from 'react'
import { useIdempotencyKey } from '../../../api/idempotency-key.ts'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'
import { Loading } from '../../../ui/feedback/loading.tsx'
import { FailureText } from '../../../ui/form/action-form.tsx'
import { type Failure, failureOf } from '../../../ui/form/use-action.ts'
import { currentUserQuery } from '../../auth/queries.ts'
import { RecordedOperation } from '../../operations/shared/operation-links.tsx'
import { importSources } from '../../source-import/queries.ts'
import { refreshSources } from '../queries.ts'
import { missingIn } from './outcomes.ts'
import classes from './page.module.css'

const CountrySelect = lazy(() =>
  import('../../../ui/form/country-select.tsx').then((module) => ({ default: module.CountrySelect })),
)

type AddMissingProps = { found: FoundAddress[]; onAdded: () => Promise<void> }

/** Imports the addresses that are not monitored, with one country or none. */
export function AddMissing({ found, onAdded }: AddMissingProps) {
  const client = useQueryClient()
  const [country, setCountry] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [result, setResult] = useState<SourceImportResult>()
  const { keyOf, renewKey } = useIdempotencyKey()
  const { importable, others } = missingIn(found)

  async function add() {
    setPending(true)
    setFailure(undefined)
    setResult(undefined)
    try {
      const { email } = await client.fetchQuery(currentUserQuery)
      const sheet_records = importable.map(({ url }) => ({
        [SOURCE_COLUMNS.url]: url,
        ...(country !== null && { [SOURCE_COLUMNS.country]: country }),
      }))
      const imported = await importSources({ email, sheet_url: null, sheet_records }, keyOf(found, country))
      renewKey()
      setResult(imported)
      await refreshSources(client)
      await onAdded()
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setPending(false)
    }
  }

  if (importable.length + others.length === 0 && !result) return null
  return (
    <div className={classes.add}>
      {importable.length > 0 && (
        <>
          <Suspense fallback={<Loading />}>
            <CountrySelect
              label="Country (optional)"
              placeholder="No country"
              clearable
              disabled={pending}
              value={country}
              onChange={setCountry}
            />
          </Suspense>
          {pending ? (
            <Loading label="Adding" />
          ) : (
            <Button onClick={() => void add()}>Add the {formatCount(importable.length, 'missing source')}</Button>
          )}
        </>
      )}
      {others.length > 0 && (
        <p className={classes.note}>
          {formatCount(others.length, 'address', 'addresses')} on {platformsOf(others)} cannot be added here. Add{' '}
          {others.length === 1 ? 'it' : 'them'} to the sheet of the platform in{' '}
          <Link to="/source_management">Source management</Link>.
        </p>
      )}
      {failure && <FailureText failure={failure} />}
      <div className={classes.done} role="status" hidden={!result}>
        {result && <Added result={result} />}
      </div>
    </div>
  )
}

function platformsOf(sources: { platform: string }[]) {
  return new Intl.ListFormat('en').format(new Set(sources.map(({ platform }) => platform)))
}

function Added({ result }: { result: SourceImportResult }) {
  const { error_message, requested_count, inputs_count } = result
  if (error_message !== null) return <span className="error-text">{error_message}</span>
  return (
    <>
      {formatNumber(requested_count)} of {formatCount(inputs_count, 'source')} added. <RecordedOperation {...result} />
    </>
  )
}
