import { lazy, Suspense } from 'react'
import type { Version } from '../../../api/if-match.ts'
import { type HistoryRecord, useNewestChange } from './history-queries.ts'

const NewerVersionText = lazy(() =>
  import('../newer-version-text.tsx').then((module) => ({ default: module.NewerVersionText })),
)

/** Says that the record was saved elsewhere while its form is open. */
export function NewerVersion({ of: record, version }: { of: HistoryRecord; version: Version }) {
  const change = useNewestChange(record, true)
  const isNewer = change && (change.action === 'delete' || Number(change.version) > numberOf(version))
  return isNewer ? (
    <Suspense>
      <NewerVersionText change={change} />
    </Suspense>
  ) : null
}

/** A version from the ETag header is in quotes. */
function numberOf(version: Version) {
  return Number(String(version).replace(/\D/g, '') || Number.NaN)
}
