import { useQueryClient } from '@tanstack/react-query'
import type { BinOutcome, BinRecord } from '@watchdesk/contract/bin'
import { useState } from 'react'
import { openDialog } from '../../ui/dialog/dialogs.tsx'
import { formatCount } from '../../ui/display/format.ts'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { useIsLong } from '../../ui/feedback/use-is-long.ts'
import type { Selection } from '../../ui/list/use-selection.ts'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { NotRestored } from './not-restored.tsx'
import { refreshAll, restoreRecords } from './queries.ts'
import { keyOf, linkOf } from './records.ts'

/** Restores the selected records in one call, and lists those that could not be restored. */
export function useRestoreMany(selection: Selection<BinRecord>) {
  const client = useQueryClient()
  const [started, setStarted] = useState<number>()
  const isLong = useIsLong(started !== undefined)

  async function run() {
    const records = selection.chosen
    if (started !== undefined || records.length === 0) return
    setStarted(records.length)
    try {
      const outcomes = await restoreRecords(records)
      selection.clear()
      report(records, outcomes)
    } catch (error) {
      toastError(error)
    } finally {
      setStarted(undefined)
      await refreshAll(client)
      keepFocus()
    }
  }

  const label = started !== undefined && `Restoring ${formatCount(started, 'record')}…`
  return { run, progress: label && (isLong ? `${label} You can leave this page; it continues.` : label) }
}

function report(records: BinRecord[], outcomes: BinOutcome[]) {
  const byKey = new Map(records.map((record) => [keyOf(record), record]))
  const failed = outcomes.flatMap(({ problem, ...outcome }) => {
    const record = byKey.get(keyOf(outcome))
    return problem !== null && record ? [{ record, problem }] : []
  })
  const count = outcomes.length - failed.length
  const [only] = records
  if (failed.length === 0) {
    const text = records.length === 1 ? `${only?.name} restored.` : `${formatCount(count, 'record')} restored.`
    toastSuccess(text, records.length === 1 && only ? linkOf(only) : {})
    return
  }
  void openDialog<void>(`${count} of ${formatCount(outcomes.length, 'record')} restored`, undefined, (answer) => (
    <NotRestored failed={failed} onClose={() => answer()} />
  ))
}
