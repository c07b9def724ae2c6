import type { ViewedList } from '@watchdesk/contract/saved-views'
import { withColumns } from './shared/with-columns.ts'

type ReadyMade = { name: string; search: Record<string, string | number> }

/** Views for the questions that everybody has. Days are those of UTC. */
export function readyMadeViews(list: ViewedList, now = new Date()): ReadyMade[] {
  return { users: USERS, workspaces: workspaceViews(now), dashboards: [] }[list]
}

const USERS: ReadyMade[] = [
  { name: 'Super admins', search: { role: 'super_admin' } },
  { name: 'Workspace admins', search: { role: 'admin' } },
  { name: 'Never signed in', search: { sign_in: 'never' } },
  { name: 'Locked accounts', search: { locked: 'yes' } },
]

function workspaceViews(now: Date): ReadyMade[] {
  const trials = withColumns('workspaces', 'trial_end_date', 'users_count', 'last_activity_at')
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const [first, last] = [day(year, month, 1), day(year, month + 1, 0)]
  return [
    { name: 'Trials that end this month', search: { trial_from: first, trial_to: last, ...trials } },
    { name: 'Trials that have ended', search: { trial: 'ended', ...trials } },
    { name: 'AI quota used up', search: { status: 'IN_USE', ai_under: 0, ...withColumns('workspaces', 'ai_quota') } },
    {
      name: 'Analytical quota used up',
      search: { status: 'IN_USE', analytical_under: 0, ...withColumns('workspaces', 'analytical_quota') },
    },
    {
      name: 'Without an admin',
      search: { status: 'IN_USE', admin: 'none', ...withColumns('workspaces', 'users_count') },
    },
  ]
}

/** Day 0 is the last one of the month before. */
function day(year: number, month: number, date: number) {
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)
}
