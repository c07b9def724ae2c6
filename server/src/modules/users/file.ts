import type { ColumnOf } from '@watchdesk/contract/list'
import {
  choiceText,
  isUserChoice,
  USER_CHOICES,
  type UserChoice,
  type UserFileQuery,
  userList,
} from '@watchdesk/contract/users'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { type FileColumn, fileReader, fileTime } from '../../db/list-file.ts'
import type { Deps } from '../../deps.ts'
import { whereOf } from './filter.ts'

const ROLES = sql`concat_ws(', ', case when users.is_super_admin then 'Super admin' end,
  case when users.is_admin then 'Workspace admin' end, case when users.is_auditor then 'Auditor' end)`

const COLUMNS: Record<Exclude<ColumnOf<typeof userList>, UserChoice>, FileColumn> = {
  id: [['ID', sql`users.id`, 'number']],
  workspace: [['Workspace', sql`workspaces.name`]],
  full_name: [['Full Name', sql`users.full_name`]],
  email: [['Email', sql`users.email`]],
  roles: [['Roles', ROLES]],
  last_sign_in_at: [['Last sign-in', fileTime(sql`(select at from sign_ins where sign_ins.user_id = users.id)`)]],
}

function choiceColumn(field: UserChoice): FileColumn {
  const { label, options } = USER_CHOICES[field]
  const texts = Object.keys(options).map((value) => [value, choiceText(field, value, 'inLists')])
  const column = sql.ref(`users.${field}`)
  return [[label, sql`${JSON.stringify(Object.fromEntries(texts))}::jsonb ->> ${column}`]]
}

export function usersFile(deps: Deps, actor: Actor, asked: UserFileQuery) {
  const query = { ...asked, columns: asked.columns ?? userList.columns }
  return fileReader(deps, actor, {
    table: 'users',
    query,
    options: userList,
    where: whereOf(actor, query),
    isShown: whereOf(actor, {}),
    from: sql`from users join workspaces on workspaces.id = users.workspace_id`,
    columns: query.columns.map((name) => (isUserChoice(name) ? choiceColumn(name) : COLUMNS[name])),
  })
}
