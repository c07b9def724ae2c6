import type { DashboardCreate, DashboardUpdate, LinkCheck } from '@watchdesk/contract/dashboards'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audited, type Change, changesBetween, newId } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/open.ts'
import { deleteRecord, editRecord, lockDeletedRecord, lockRecord, lockRows, restoreRecord } from '../../db/records.ts'
import type { Deps } from '../../deps.ts'
import { unavailable } from '../../problem.ts'
import { DASHBOARD, workspacesCount } from './record.ts'
import { recordWorkspaces } from './workspaces.ts'

const COLUMNS = ['id', 'name', 'description', 'embed_link', 'version'] as const

export function dashboardsStore({ db, read, rights, embedLinks, semaphores }: Deps) {
  return { list, get, create, update, remove, restore, checkLinks }

  /** Not paginated: there are only dozens, and the workspace form offers them all. */
  async function list() {
    const objects = await read(live(db).select(COLUMNS).select(workspacesCount).orderBy('id'))
    return { objects, total: objects.length, size: objects.length }
  }

  async function get(id: number) {
    const [dashboard] = await read(live(db).select(COLUMNS).select(workspacesCount).where('id', '=', id))
    return dashboard
  }

  function create(actor: Actor, body: DashboardCreate) {
    return rights.write(actor, async (trx) => {
      const values = { description: null, ...body }
      const changes = changesBetween({}, values)
      const record = { name: values.name, version: 1 }
      const event = { action: 'create', entity: 'dashboard', entity_id: newId('created'), record, changes } as const
      const row = { ...values, updated_by: actor.id }
      const inserted = trx
        .with('created', (query) => query.insertInto('powerbi_dashboards').values(row).returning(COLUMNS))
        .with('audited', audited(actor, event))
      return inserted.selectFrom('created').selectAll().executeTakeFirstOrThrow()
    })
  }

  function update(actor: Actor, id: number, body: DashboardUpdate, ifMatch?: string, action: Change = 'update') {
    return rights.write(actor, async (trx) => {
      const current = await lockRecord(trx, DASHBOARD, id, ifMatch)
      const changes = changesBetween(current, body)
      if (Object.keys(changes).length === 0) return current
      const edited = { ...current, ...body }
      await editRecord(trx, actor, DASHBOARD, edited, body, { action, changes })
      return { ...edited, version: current.version + 1 }
    })
  }

  function remove(actor: Actor, id: number, ifMatch?: string) {
    return rights.write(actor, async (trx) => {
      const parent_id = await deleteRecord(trx, actor, DASHBOARD, await lockRecord(trx, DASHBOARD, id, ifMatch))
      await markWorkspaces(trx, actor, { dashboard_id: id, parent_id, isShown: false })
    })
  }

  function restore(actor: Actor, id: number, options: { parent_id?: number } = {}) {
    return rights.write(actor, async (trx) => {
      const parent_id = await restoreRecord(trx, actor, DASHBOARD, await lockDeletedRecord(trx, DASHBOARD, id), options)
      await markWorkspaces(trx, actor, { dashboard_id: id, parent_id, isShown: true })
      return live(trx).select(COLUMNS).where('id', '=', id).executeTakeFirstOrThrow()
    })
  }

  /** Not stored: a result says how a site and the network are at the moment. Holds no database connection meanwhile. */
  async function checkLinks(actor: Actor, { ids, origin }: { ids: number[]; origin: string }, signal: AbortSignal) {
    // Nothing is requested for somebody who lost access while the body was being sent.
    await rights.check(actor)
    const dashboards = await live(db).select(['id', 'embed_link']).where('id', 'in', ids).orderBy('id').execute()
    const check = async ({ id, embed_link }: (typeof dashboards)[number]): Promise<LinkCheck> => ({
      id,
      embed_link,
      ...(await embedLinks.check(embed_link, { origin, signal })),
    })
    const checkAll = () => Promise.all(dashboards.map(check))
    const refuse = () => unavailable('Too many links are being checked. Try again in a moment.')
    const objects = await semaphores.slowReads.run(checkAll, { key: actor.id, signal, refuse })
    // The caller may have lost access while waiting.
    await rights.check(actor)
    return { objects }
  }
}

function live(db: Db) {
  return db.selectFrom('powerbi_dashboards').where('deleted_at', 'is', null)
}

type Marked = { dashboard_id: number; parent_id: number; isShown: boolean }

/** Records in the history of the workspaces that list a dashboard that it was deleted or restored. */
export async function markWorkspaces(trx: Trx, actor: Actor, { isShown, ...event }: Marked) {
  const listing = sql<boolean>`workspaces.id in (
    select workspace_id from workspace_dashboards where dashboard_id = ${event.dashboard_id})`
  // Locked first: an edit of a workspace may take the dashboard off its list while this waits for it.
  await lockRows(trx, 'workspaces', listing, 'no key update')
  await recordWorkspaces(trx, actor, { ...event, which: listing, isShown: sql`${isShown}::boolean` })
}
