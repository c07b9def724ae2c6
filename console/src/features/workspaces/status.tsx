import type { Workspace } from '@watchdesk/contract/workspaces'
import { Tag } from '../../ui/display/tag.tsx'
import { isTrialOver } from './shared/trial.ts'
import classes from './status.module.css'

/** The status of a workspace, and whether its trial has ended. */
export function Status({ status, trial_end_date }: Partial<Pick<Workspace, 'status' | 'trial_end_date'>>) {
  if (!status) return '–'
  const tone = status === 'TRIAL' ? 'amber' : status.startsWith('PAID_') ? 'teal' : 'plain'
  const tag = <Tag tone={tone}>{status}</Tag>
  if (!isTrialOver({ status, trial_end_date })) return tag
  return (
    <span className={classes.status}>
      {tag} <span className={classes.ended}>ended</span>
    </span>
  )
}
