import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { DashboardsChange } from '@watchdesk/contract/operations/changes'
import type { AllSelection } from '../../ui/list/use-all-selection.ts'
import { type BulkOperation, DELETE_NOTE } from '../operations/shared/bulk-operation.ts'
import { ChangeBar } from '../operations/shared/change-bar.tsx'
import { dashboards } from '../operations/shared/change-queries.ts'
import { useChangeMany } from '../operations/shared/use-change-many.ts'

const remove: BulkOperation<DashboardsChange> = {
  title: 'Delete dashboards?',
  initial: undefined,
  wanted: () => ({ action: 'delete' }),
  will: () => 'will be deleted',
  verb: 'Delete',
  note: DELETE_NOTE,
  isDanger: true,
}

/** What can be done with the selected dashboards. */
export function DashboardsBar({ selection }: { selection: AllSelection<Dashboard> }) {
  const change = useChangeMany({ records: dashboards, selection })
  return (
    <ChangeBar selection={selection} actions={[{ label: 'Delete', isDanger: true, run: () => void change(remove) }]} />
  )
}
