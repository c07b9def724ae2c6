import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WorkspaceImpact } from '@watchdesk/contract/workspaces'
import type { ReactNode } from 'react'
import { ApiError } from '../../../api/call.ts'
import { formatAgo, formatExactMoment, formatNumber } from '../../../ui/display/format.ts'
import { impactQuery, isOtherBackend } from '../queries.ts'
import classes from './impact.module.css'

/** Who and what deleting or deactivating a workspace affects. Nothing, if the backend does not say it. */
export function Impact({ id }: { id: number }) {
  const isUnknown = isOtherBackend(useQueryClient())
  const { data, error } = useQuery({ ...impactQuery(id), enabled: !isUnknown })
  if (isUnknown || (error instanceof ApiError && error.status === 404)) return null
  if (error) return <p className={classes.missing}>What this affects could not be loaded. {error.message}</p>
  return (
    <dl className={classes.impact} aria-busy={!data} aria-label="What this affects">
      <Fact label="Users">{data && formatNumber(data.users)}</Fact>
      <Fact label="Admins who lose access">{data && adminsOf(data)}</Fact>
      <Fact label="Dashboards">{data && formatNumber(data.dashboards)}</Fact>
      <Fact label="Last activity">{data && lastActivity(data)}</Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children ?? '…'}</dd>
    </div>
  )
}

/** 'Olena Koval, Vera Moroz and 3 others'. */
function adminsOf({ admins, admin_names }: WorkspaceImpact) {
  if (admins === 0) return 'None'
  const others = admins - admin_names.length
  const more = others === 1 ? ['1 other'] : others > 1 ? [`${formatNumber(others)} others`] : []
  return new Intl.ListFormat('en').format([...admin_names, ...more])
}

function lastActivity({ last_activity_at }: WorkspaceImpact) {
  if (last_activity_at === null) return 'None known'
  return <time title={formatExactMoment(last_activity_at)}>{formatAgo(last_activity_at)}</time>
}
