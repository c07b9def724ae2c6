import type { ColumnOf } from '@watchdesk/contract/list'
import { type WorkspaceFileQuery, workspaceList } from '@watchdesk/contract/workspaces'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { type FileColumn, fileReader, fileTime } from '../../db/list-file.ts'
import type { Deps } from '../../deps.ts'
import { whereOf } from './filter.ts'
import { LAST_ACTIVITY, USERS_COUNT } from './select.ts'

const ROLES = sql`(select string_agg(role, ', ') from jsonb_array_elements_text(workspaces.config -> 'roles') as role)`

const COLUMNS: Record<ColumnOf<typeof workspaceList>, FileColumn> = {
  id: [['ID', sql`workspaces.id`, 'number']],
  name: [['Name', sql`workspaces.name`]],
  description: [['Description', sql`workspaces.description`]],
  status: [['Status', sql`workspaces.status`]],
  roles: [['Roles', ROLES]],
  trial_end_date: [['Trial end', sql`case when workspaces.status = 'TRIAL' then workspaces.trial_end_date end`]],
  analytical_quota: quota('Analytical quota', sql`workspaces.analytical_quota`),
  ai_quota: quota('AI quota', sql`workspaces.ai_quota`),
  users_count: [['Users', USERS_COUNT, 'number']],
  last_activity_at: [['Last activity', fileTime(LAST_ACTIVITY)]],
}

function quota(name: string, column: RawBuilder<unknown>): FileColumn {
  return [
    [`${name} left`, sql`${column} ->> 'balance'`, 'number'],
    [`${name} limit`, sql`${column} ->> 'limit'`, 'number'],
  ]
}

export function workspacesFile(deps: Deps, actor: Actor, asked: WorkspaceFileQuery) {
  const query = { ...asked, columns: asked.columns ?? workspaceList.columns }
  return fileReader(deps, actor, {
    table: 'workspaces',
    query,
    options: workspaceList,
    where: whereOf(actor, query),
    isShown: whereOf(actor, {}),
    from: sql`from workspaces`,
    columns: query.columns.map((name) => COLUMNS[name]),
  })
}
