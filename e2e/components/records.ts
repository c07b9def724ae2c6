import type { CurrentUser } from '@watchdesk/contract/auth/session'
import type { BinRecord } from '@watchdesk/contract/bin'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { MonitoredSource } from '@watchdesk/contract/sources'
import type { User } from '@watchdesk/contract/users'
import { WORKSPACE_DEFAULTS } from '@watchdesk/contract/workspace-settings'
import type { Workspace } from '@watchdesk/contract/workspaces'

/** Records as the server sends them, with the given fields instead of the usual ones. */

const QUOTA = { limit: 1000, balance: 250, renewal_date: '2027-01-01T00:00:00' }
const { description: _, status, trial_end_date, ...settings } = WORKSPACE_DEFAULTS

export function aWorkspace({
  config,
  ...fields
}: Partial<Omit<Workspace, 'config'>> & { config?: object } = {}): Workspace {
  return {
    id: 1,
    name: 'Baltic',
    description: 'Regional newsroom',
    status,
    trial_end_date,
    analytical_quota: QUOTA,
    ai_quota: QUOTA,
    version: 1,
    ...fields,
    config: { ...settings, tags: [], ...config },
  }
}

export function aUser(fields: Partial<User> = {}): User {
  return {
    id: 10,
    first_name: 'Iryna',
    last_name: 'Shevchuk',
    email: 'iryna@example.com',
    workspace_id: 1,
    workspace: { name: 'Baltic' },
    is_admin: false,
    is_super_admin: false,
    is_auditor: false,
    type: 'STANDARD',
    language: '',
    version: 1,
    ...fields,
  }
}

export function aDashboard(fields: Partial<Dashboard> = {}): Dashboard {
  return {
    id: 5,
    name: 'Reach',
    description: '',
    embed_link: 'https://bi.example/1',
    version: 1,
    workspaces_count: 0,
    ...fields,
  }
}

export function aSource(fields: Partial<MonitoredSource> = {}): MonitoredSource {
  const olena = { id: 7, name: 'Olena Kovalenko' }
  const at = '2026-11-16T09:00:00.000Z'
  return {
    id: 1,
    platform: 'TELEGRAM',
    url: 'https://t.me/bread',
    country: null,
    created_at: at,
    created_by: olena,
    import: { id: 3, kind: 'source_import', name: null },
    updated_at: at,
    updated_by: olena,
    version: 1,
    ...fields,
  }
}

export function aBinRecord(fields: Partial<BinRecord> = {}): BinRecord {
  return {
    kind: 'user',
    id: 10,
    name: 'Iryna Shevchuk',
    detail: 'iryna@example.com',
    workspace: { id: 1, name: 'Baltic' },
    deleted_at: '2026-11-17T09:30:00.000Z',
    deleted_by: { id: 7, name: 'Olena Kovalenko' },
    days_left: 30,
    users: 0,
    workspaces: 0,
    problem: null,
    ...fields,
  }
}

/** The super admin who is signed in. */
export const ME: CurrentUser = {
  ...aUser({ id: 7, first_name: 'Olena', last_name: 'Kovalenko', email: 'olena@example.com', is_super_admin: true }),
  columns: {},
  notices: [],
  password_login: true,
}
