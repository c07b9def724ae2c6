import type { Workspace, WorkspaceFilter } from '@watchdesk/contract/workspaces'
import { toastError } from '../../ui/feedback/toast.tsx'
import type { AllSelection } from '../../ui/list/use-all-selection.ts'
import { type BarAction, ChangeBar } from '../operations/shared/change-bar.tsx'
import { workspaces } from '../operations/shared/change-queries.ts'
import { useChangeMany } from '../operations/shared/use-change-many.ts'

type WorkspacesBarProps = {
  selection: AllSelection<Workspace>
  total: number | undefined
  filter: WorkspaceFilter
}

/** What can be done with the selected workspaces. */
export function WorkspacesBar({ selection, total, filter }: WorkspacesBarProps) {
  const change = useChangeMany({ records: workspaces, selection, filter })
  const load = () => import('./bulk-operations.tsx')
  const open = (start: (operations: Awaited<ReturnType<typeof load>>) => Promise<void>) => () =>
    void load().then(start).catch(toastError)
  const actions: BarAction[] = [
    { label: 'Status', run: open(({ setStatus }) => change(setStatus)) },
    { label: 'Extend trial', run: open(({ extendTrial }) => change(extendTrial)) },
    { label: 'Quotas', run: open(({ setQuotas }) => change(setQuotas)) },
    { label: 'Roles and flags', run: open(({ setRoles }) => change(setRoles)) },
    { label: 'Dashboards', run: open(({ setDashboards }) => change(setDashboards)) },
    { label: 'Delete', isDanger: true, run: open(({ remove }) => change(remove)) },
  ]
  return <ChangeBar selection={selection} total={total} isFiltered={Object.keys(filter).length > 0} actions={actions} />
}
