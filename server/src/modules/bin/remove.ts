import type { BinRemove } from '@watchdesk/contract/bin'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit, auditParts } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { found, invalid } from '../../problem.ts'
import { recordOf } from '../users/store.ts'
import { removedRecords } from './parts.ts'

/** Deletes a record of the bin for good. The event stays. */
export async function removeFromBin({ rights }: Pick<Deps, 'rights'>, actor: Actor, { kind, id, name }: BinRemove) {
  if (kind === 'user') return removeUser()
  if (kind === 'dashboard') return rights.write(actor, removeDashboard)
  if (kind === 'sheet') return rights.write(actor, removeSheet)
  if (kind === 'source') return rights.write(actor, removeSource)
  return rights.writeWithUsers(actor, removeWorkspace)

  function removeUser() {
    return rights.writeUser(actor, { id }, async (trx, row) => {
      // Users that were deleted with their workspace are a part of it.
      const user = found(row?.deleted_at && !row.deleted_with_workspace ? row : undefined, 'Deleted user')
      checkName(user.full_name, name)
      await trx.deleteFrom('users').where('id', '=', id).execute()
      await audit(trx, actor, { action: 'remove', entity: 'user', entity_id: id, record: recordOf(user), changes: {} })
    })
  }

  async function removeDashboard(trx: Trx) {
    const row = await lockDeleted(trx, 'powerbi_dashboards', id)
    const dashboard = found(row, 'Deleted dashboard')
    checkName(dashboard.name, name)
    await trx.deleteFrom('powerbi_dashboards').where('id', '=', id).execute()
    await audit(trx, actor, { action: 'remove', entity: 'dashboard', entity_id: id, record: dashboard, changes: {} })
  }

  /** Its rows are purged later, unless an import keeps them. */
  async function removeSheet(trx: Trx) {
    const deleted = trx.selectFrom('sheets').select('title').where('id', '=', id).where('deleted_at', 'is not', null)
    const { title } = found(await deleted.forUpdate().executeTakeFirst(), 'Deleted sheet')
    checkName(title, name)
    await trx.deleteFrom('sheets').where('id', '=', id).execute()
    const record = { name: title }
    await audit(trx, actor, { action: 'remove', entity: 'sheet', entity_id: id, record, changes: {} })
  }

  /** Imports still show that they changed it, but can no longer undo that. */
  async function removeSource(trx: Trx) {
    const deleted = trx.selectFrom('sources').select('url').where('id', '=', id).where('deleted_at', 'is not', null)
    const { url } = found(await deleted.forUpdate().executeTakeFirst(), 'Deleted source')
    checkName(url, name)
    await trx.deleteFrom('sources').where('id', '=', id).execute()
    await audit(trx, actor, { action: 'remove', entity: 'source', entity_id: id, record: { name: url }, changes: {} })
  }

  async function removeWorkspace(trx: Trx) {
    const workspace = found(await lockDeleted(trx, 'workspaces', id), 'Deleted workspace')
    checkName(workspace.name, name)
    const itsUsers = sql<boolean>`users.workspace_id = ${id} and users.deleted_at is not null`
    const { rows } = await sql<{ users: number }>`select count(*) as users
      from (select from users where ${itsUsers} order by id for update) as locked`.execute(trx)
    const record = { ...workspace, workspace_id: id }
    const changes = { users: { before: rows[0]?.users ?? 0, after: 0 } }
    const parent_id = await audit(trx, actor, { action: 'remove', entity: 'workspace', entity_id: id, record, changes })
    await auditParts(trx, actor, { action: 'remove', entity: 'user', parent_id }, removedRecords('user', itsUsers))
    await trx.deleteFrom('users').where(itsUsers).execute()
    await trx.deleteFrom('workspaces').where('id', '=', id).execute()
  }
}

/** The row can be neither restored nor purged until the end of the transaction. */
function lockDeleted(trx: Trx, table: 'workspaces' | 'powerbi_dashboards', id: number) {
  return trx
    .selectFrom(table)
    .select('name')
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
}

function checkName(name: string, typed: string) {
  if (typed.trim() !== name.trim()) throw invalid('name', `Type the name exactly: ${name}`)
}
