import * as contract from '@watchdesk/contract/audit'
import * as schemas from '@watchdesk/contract/audit.schema'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { fittingChanges } from '../../db/audit-size.ts'
import { listPage } from '../../db/list.ts'
import type { Db } from '../../db/open.ts'
import type { App, Deps } from '../../deps.ts'
import { confirmingSession } from '../../plugins/auth.ts'
import { withSchemas } from '../../plugins/contract.ts'

const api = confirmingSession(withSchemas(contract, schemas))

export function auditRoutes(app: App, deps: Deps) {
  app.route({ ...api.listAuditEvents, handler: ({ actor, query }) => listEvents(deps, actor, query) })
}

function listEvents({ db, read }: Deps, actor: Actor, query: contract.AuditQuery) {
  return listPage(read, actor, {
    table: 'audit_events',
    options: contract.auditList,
    query,
    filters: [
      query.entity && sql`audit_events.entity = ${query.entity}`,
      query.entity_id && sql`audit_events.entity_id = ${query.entity_id}`,
      query.actor_id && sql`audit_events.actor_id = ${query.actor_id}`,
      query.from && sql`audit_events.at >= ${query.from}::timestamptz`,
      query.to && sql`audit_events.at < ${query.to}::timestamptz`,
    ],
    rows: (id) => selectEvents(db).where('audit_events.id', '=', id),
  })
}

function selectEvents(db: Db) {
  return db.selectFrom('audit_events').select([
    'id',
    sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.as('at'),
    sql<contract.AuditEvent['actor']>`case when actor_id is not null
        then json_build_object('id', actor_id, 'name', actor_name) end`.as('actor'),
    'action',
    'entity',
    'entity_id',
    fittingChanges.as('changes'),
    'ip',
  ])
}
