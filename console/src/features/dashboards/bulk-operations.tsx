import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { DashboardsChange } from '@watchdesk/contract/operations/changes'
import { type BulkOperation, DELETE_NOTE } from '../operations/shared/bulk-operation.ts'
import { type BarProps, ChangeBar } from '../operations/shared/change-bar.tsx'
import { dashboards } from '../operations/shared/change-queries.ts'

const remove: BulkOperation<DashboardsChange> = {
  label: 'Delete',
  title: 'Delete dashboards?',
  initial: undefined,
  wanted: () => ({ action: 'delete' }),
  will: () => 'will be deleted',
  verb: 'Delete',
  note: DELETE_NOTE,
  isDanger: true,
}

/** What can be done with the selected dashboards. */
export function DashboardsBar(props: BarProps<Dashboard, never>) {
  return <ChangeBar {...props} records={dashboards} operations={[remove]} />
}
