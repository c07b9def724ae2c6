import type { UsersChange } from '@watchdesk/contract/operations/changes'
import { choiceText, USER_CHOICE_NAMES } from '@watchdesk/contract/users'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { after, number } from '../operations/changes/kind.ts'

/** What an update can set. */
export const CHANGED_FIELDS = ['workspace_id', ...USER_CHOICE_NAMES, 'is_admin', 'is_super_admin'] as const

/** What each of them gets. */
export const VALUES = {
  workspace_id: sql`${after('workspace_id')}::int`,
  ...Object.fromEntries(USER_CHOICE_NAMES.map((field) => [field, after(field)])),
  is_admin: sql`${after('is_admin')}::boolean`,
  is_super_admin: sql`${after('is_super_admin')}::boolean`,
}

export async function nameOfWorkspace(db: Db, id: number) {
  const workspace = db.selectFrom('workspaces').select('name').where('id', '=', id).where('deleted_at', 'is', null)
  return (await workspace.executeTakeFirst())?.name
}

/** 'Moved 12 users to Atlas Media', or 'Move …' before it is done. */
export async function words(db: Db, { set = {} }: UsersChange, count: number, isDone: boolean) {
  const users = number(count, 'user')
  const { workspace_id, is_admin, is_super_admin } = set
  if (Object.keys(set).length === 1) {
    if (workspace_id !== undefined) {
      const name = (await nameOfWorkspace(db, workspace_id)) ?? `workspace ${workspace_id}`
      return `${isDone ? 'Moved' : 'Move'} ${users} to ${name}`
    }
    for (const field of USER_CHOICE_NAMES) {
      const value = set[field]
      if (value !== undefined) return `Set the ${field} of ${users} to ${choiceText(field, value, 'inSentences')}`
    }
    const role = is_admin === undefined ? 'super admin' : 'workspace admin'
    if (is_admin || is_super_admin) return `${isDone ? 'Made' : 'Make'} ${users} ${count === 1 ? role : `${role}s`}`
    return `${isDone ? 'Removed' : 'Remove'} the ${role} rights of ${users}`
  }
  const fields = Object.keys(set).map((field) => FIELD_NAMES[field] ?? field)
  return `${isDone ? 'Changed' : 'Change'} the ${new Intl.ListFormat('en').format([...new Set(fields)])} of ${users}`
}

const FIELD_NAMES: Record<string, string> = {
  workspace_id: 'workspace',
  is_admin: 'admin rights',
  is_super_admin: 'super admin rights',
}
