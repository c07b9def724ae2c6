import type { AuditEvent } from '@watchdesk/contract/activity'
import type { BinRemove } from '@watchdesk/contract/bin'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit, auditParts } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'
import { lockDeletedRecord, lockRows, removedRecords } from '../../db/records.ts'
import type { Deps } from '../../deps.ts'
import { found, invalid } from '../../problem.ts'

/** Deletes a record of the bin for good: a workspace with its users. The event stays, and so do the rows that imports keep. */
export async function removeFromBin({ rights, records }: Deps, actor: Actor, { kind, id, name }: BinRemove) {
  const { [kind]: facts, user } = records.deletable
  if (kind === 'workspace') return rights.writeWithUsers(actor, remove)
  if (kind !== 'user') return rights.write(actor, remove)
  return rights.writeUser(actor, { id }, (trx, row) => {
    // Users that were deleted with their workspace are a part of it.
    found(row?.deleted_with_workspace ? undefined : row, 'Deleted user')
    return remove(trx)
  })

  async function remove(trx: Trx) {
    const locked = await lockDeletedRecord(trx, facts, id)
    const record = { name: locked.name, detail: locked.detail, workspace_id: locked.workspace_id }
    if (name.trim() !== record.name.trim()) throw invalid('name', `Type the name exactly: ${record.name}`)
    const ofIt = sql<boolean>`users.workspace_id = ${id} and users.deleted_at is not null`
    const isWorkspace = kind === 'workspace'
    const changes: AuditEvent['changes'] = {}
    if (isWorkspace) changes.users = { before: await lockRows(trx, 'users', ofIt, 'update'), after: 0 }
    const parent_id = await audit(trx, actor, { action: 'remove', entity: kind, entity_id: id, record, changes })
    if (isWorkspace) {
      await auditParts(trx, actor, { action: 'remove', entity: 'user', parent_id }, removedRecords(user, ofIt))
      await trx.deleteFrom('users').where(ofIt).execute()
    }
    await sql`delete from ${sql.table(facts.table)} where id = ${id}`.execute(trx)
  }
}
