import type { Workspace } from '@watchdesk/contract/workspaces'
import { hasPassed } from '../day.ts'

/** Other backends may send neither. */
type Trial = Partial<Pick<Workspace, 'status' | 'trial_end_date'>>

/** Whether a workspace is still a trial although its last day has passed, in UTC for everyone. */
export function isTrialOver({ status, trial_end_date }: Trial) {
  return status === 'TRIAL' && Boolean(trial_end_date) && hasPassed(trial_end_date ?? '')
}
