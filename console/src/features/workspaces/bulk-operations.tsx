import type { WorkspacesChange } from '@watchdesk/contract/operations/changes'
import type { Workspace, WorkspaceFilter } from '@watchdesk/contract/workspaces'
import { formatCount } from '../../ui/display/format.ts'
import { type BulkOperation, DELETE_NOTE, UNDO_NOTE } from '../operations/shared/bulk-operation.ts'
import { type BarProps, ChangeBar } from '../operations/shared/change-bar.tsx'
import { workspaces } from '../operations/shared/change-queries.ts'
import {
  DashboardsFields,
  type DashboardsValues,
  listsProblem,
  listsSet,
  NO_DASHBOARDS,
  NO_ROLES,
  RolesFields,
  type RolesValues,
} from './bulk-lists.tsx'
import { KEPT_QUOTAS, QuotasFields, type QuotasValues, quotaNames, quotasProblem, quotasSet } from './bulk-quotas.tsx'
import { DaysField, daysProblem, StatusFields, type StatusValues, statusProblem, statusSet } from './bulk-status.tsx'

const its = (count: number) => (count === 1 ? 'its' : 'their')

const setStatus: BulkOperation<WorkspacesChange, StatusValues> = {
  label: 'Status',
  title: 'Change the status of workspaces',
  initial: { status: null, trial_end_date: '' },
  Fields: StatusFields,
  problemOf: statusProblem,
  wanted: (values) => ({ action: 'update', set: statusSet(values) }),
  will: (values, count) => {
    const { status } = statusSet(values)
    if (status === null) return `will lose ${its(count)} status`
    return status === 'DEACTIVATED' ? 'will be deactivated' : `will get the status ${status}`
  },
  verb: 'Change',
  note: UNDO_NOTE,
}

const extendTrial: BulkOperation<WorkspacesChange, string> = {
  label: 'Extend trial',
  title: 'Extend trials',
  initial: '14',
  Fields: DaysField,
  problemOf: daysProblem,
  wanted: (days) => ({ action: 'update', set: { extend_trial_days: Number(days) } }),
  will: (days) => `will get ${formatCount(Number(days), 'more day')} of trial`,
  verb: 'Extend',
  note: UNDO_NOTE,
}

const setQuotas: BulkOperation<WorkspacesChange, QuotasValues> = {
  label: 'Quotas',
  title: 'Change the quotas of workspaces',
  initial: KEPT_QUOTAS,
  Fields: QuotasFields,
  problemOf: quotasProblem,
  wanted: (values) => ({ action: 'update', set: quotasSet(values) }),
  will: (values, count) => `will have ${its(count)} ${quotaNames(values)} changed`,
  verb: 'Change',
  note: UNDO_NOTE,
}

const setRoles: BulkOperation<WorkspacesChange, RolesValues> = {
  label: 'Roles and flags',
  title: 'Change roles and feature flags',
  initial: NO_ROLES,
  Fields: RolesFields,
  problemOf: listsProblem,
  wanted: (values) => ({ action: 'update', set: listsSet(values) }),
  will: (values, count) => {
    const { roles, featureflags } = listsSet(values)
    const names = [roles && 'roles', featureflags && 'feature flags'].filter((name) => name !== undefined)
    return `will have ${its(count)} ${new Intl.ListFormat('en').format(names)} changed`
  },
  verb: 'Change',
  note: UNDO_NOTE,
}

const setDashboards: BulkOperation<WorkspacesChange, DashboardsValues> = {
  label: 'Dashboards',
  title: 'Change the dashboards of workspaces',
  initial: NO_DASHBOARDS,
  Fields: DashboardsFields,
  problemOf: listsProblem,
  wanted: (values) => ({ action: 'update', set: listsSet(values) }),
  will: () => 'will show other dashboards',
  verb: 'Change',
  note: UNDO_NOTE,
}

const remove: BulkOperation<WorkspacesChange> = {
  label: 'Delete',
  title: 'Delete workspaces?',
  initial: undefined,
  wanted: () => ({ action: 'delete' }),
  will: (_, count) => `will be deleted with all ${its(count)} users, who lose access immediately`,
  verb: 'Delete',
  note: DELETE_NOTE,
  isDanger: true,
}

const OPERATIONS = [setStatus, extendTrial, setQuotas, setRoles, setDashboards, remove]

/** What can be done with the selected workspaces. */
export function WorkspacesBar(props: BarProps<Workspace, WorkspaceFilter>) {
  return <ChangeBar {...props} records={workspaces} operations={OPERATIONS} />
}
