import type { Dashboard, DashboardCreate, DashboardUpdate } from '@watchdesk/contract/dashboards'
import type { Page } from '@watchdesk/contract/page'
import type { Actor } from '../../actor.ts'
import { audit, audited, changesBetween } from '../../db/audit.ts'
import { checkVersion, deletedBy, editedBy } from '../../db/entity.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Rights } from '../../db/rights.ts'
import { found } from '../../problem.ts'

const COLUMNS = ['id', 'name', 'description', 'embed_link', 'version'] as const

export function dashboardsStore(db: Db, rights: Rights) {
  return { list, get, create, update, remove, restore }

  /** Not paginated: there are only dozens, and the workspace form offers them all. */
  async function list(): Promise<Page<Dashboard>> {
    const objects = await live(db).select(COLUMNS).orderBy('id').execute()
    return { objects, total: objects.length, size: objects.length }
  }

  function get(id: number): Promise<Dashboard | undefined> {
    return live(db).select(COLUMNS).where('id', '=', id).executeTakeFirst()
  }

  function create(actor: Actor, body: DashboardCreate) {
    return rights.write(actor, async (trx) => {
      const values = { description: null, ...body }
      const created = await trx
        .insertInto('powerbi_dashboards')
        .values({ ...values, updated_by: actor.id })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow()
      const changes = changesBetween({}, values)
      await audit(trx, actor, { action: 'create', entity: 'dashboard', entity_id: created.id, changes })
      return created
    })
  }

  function update(actor: Actor, id: number, body: DashboardUpdate, ifMatch?: string) {
    return rights.write(actor, async (trx) => {
      const current = await lock(trx, id)
      await checkVersion(trx, 'dashboard', current, ifMatch)
      const changes = changesBetween(current, body)
      if (Object.keys(changes).length === 0) return current
      return trx
        .with('audited', audited(actor, { action: 'update', entity: 'dashboard', entity_id: id, changes }))
        .updateTable('powerbi_dashboards')
        .set({ ...body, ...editedBy(actor) })
        .where('id', '=', id)
        .returning(COLUMNS)
        .executeTakeFirstOrThrow()
    })
  }

  function remove(actor: Actor, id: number, ifMatch?: string) {
    return rights.write(actor, async (trx) => {
      await checkVersion(trx, 'dashboard', await lock(trx, id), ifMatch)
      await trx.updateTable('powerbi_dashboards').set(deletedBy(actor)).where('id', '=', id).execute()
      await markWorkspaces(trx, actor, id)
      await audit(trx, actor, { action: 'delete', entity: 'dashboard', entity_id: id, changes: {} })
    })
  }

  function restore(actor: Actor, id: number) {
    return rights.write(actor, async (trx) => {
      const restored = await trx
        .updateTable('powerbi_dashboards')
        .set({ ...editedBy(actor), deleted_at: null })
        .where('id', '=', id)
        .where('deleted_at', 'is not', null)
        .returning(COLUMNS)
        .executeTakeFirst()
      found(restored, 'Deleted dashboard')
      await markWorkspaces(trx, actor, id)
      await audit(trx, actor, { action: 'restore', entity: 'dashboard', entity_id: id, changes: {} })
      return found(restored, 'Deleted dashboard')
    })
  }

  async function lock(trx: Trx, id: number) {
    return found(await live(trx).selectAll().where('id', '=', id).forUpdate().executeTakeFirst(), 'Dashboard')
  }
}

function live(db: Db) {
  return db.selectFrom('powerbi_dashboards').where('deleted_at', 'is', null)
}

/**
 * Increments the version of the workspaces that list the dashboard, so that a form opened earlier cannot overwrite the
 * change.
 */
async function markWorkspaces(trx: Trx, actor: Actor, dashboard_id: number) {
  await trx
    .updateTable('workspaces')
    .set(editedBy(actor))
    .where('id', 'in', (query) =>
      query.selectFrom('workspace_dashboards').select('workspace_id').where('dashboard_id', '=', dashboard_id),
    )
    .execute()
}
