import type { Dashboard, DashboardCreate, DashboardUpdate } from '@watchdesk/contract/dashboards'
import type { Page } from '@watchdesk/contract/page'
import type { Actor } from '../../actor.ts'
import { audit, audited, changesBetween, newId } from '../../db/audit.ts'
import { checkVersion, deletedBy, editedBy } from '../../db/entity.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { found } from '../../problem.ts'

const COLUMNS = ['id', 'name', 'description', 'embed_link', 'version'] as const

export function dashboardsStore({ db, read, rights }: Pick<Deps, 'db' | 'read' | 'rights'>) {
  return { list, get, create, update, remove, restore }

  /** Not paginated: there are only dozens, and the workspace form offers them all. */
  async function list(actor: Actor): Promise<Page<Dashboard>> {
    const objects = await read(actor, live(db).select(COLUMNS).orderBy('id'))
    return { objects, total: objects.length, size: objects.length }
  }

  async function get(actor: Actor, id: number): Promise<Dashboard | undefined> {
    const [dashboard] = await read(actor, live(db).select(COLUMNS).where('id', '=', id))
    return dashboard
  }

  function create(actor: Actor, body: DashboardCreate) {
    return rights.write(actor, async (trx, finish) => {
      const values = { description: null, ...body }
      const changes = changesBetween({}, values)
      const event = { action: 'create', entity: 'dashboard', entity_id: newId('created'), changes } as const
      const inserted = trx
        .with('created', (query) =>
          query
            .insertInto('powerbi_dashboards')
            .values({ ...values, updated_by: actor.id })
            .returning(COLUMNS),
        )
        .with('audited', audited(actor, event))
      const [created] = await finish(inserted.selectFrom('created').selectAll())
      return found(created, 'Dashboard')
    })
  }

  function update(actor: Actor, id: number, body: DashboardUpdate, ifMatch?: string) {
    return rights.write(actor, async (trx, finish) => {
      const current = await lock(trx, id)
      await checkVersion(trx, 'dashboard', current, ifMatch)
      const changes = changesBetween(current, body)
      if (Object.keys(changes).length === 0) return current
      const edited = trx
        .with('audited', audited(actor, { action: 'update', entity: 'dashboard', entity_id: id, changes }))
        .updateTable('powerbi_dashboards')
        .set({ ...body, ...editedBy(actor) })
        .where('id', '=', id)
        .returning(COLUMNS)
      const [updated] = await finish(edited)
      return found(updated, 'Dashboard')
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
