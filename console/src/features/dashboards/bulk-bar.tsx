import type { DashboardsChange } from '@watchdesk/contract/bulk-changes'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { AllSelection } from '../../ui/list/use-all-selection.ts'
import { dashboards } from '../bulk-changes/queries.ts'
import { ChangeBar } from '../bulk-changes/shared/change-bar.tsx'
import { DELETE_NOTE, type Operation } from '../bulk-changes/shared/operation.ts'
import { useChangeMany } from '../bulk-changes/shared/use-change-many.ts'

const remove: Operation<DashboardsChange> = {
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
