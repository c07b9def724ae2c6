import type { Endpoint } from '@watchdesk/contract/endpoint'
import type { BulkRecordsQuery } from '@watchdesk/contract/operations/changes'
import * as contract from '@watchdesk/contract/operations/changes'
import * as schemas from '@watchdesk/contract/operations/changes.schema'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../../actor.ts'
import { longReads } from '../../../db/long-read.ts'
import type { App, Deps } from '../../../deps.ts'
import { withSchemas } from '../../../plugins/contract.ts'
import { checkNames } from '../../workspaces/choices.ts'
import { changeMany } from './change.ts'
import type { BulkBody, BulkKind, Expected } from './kind.ts'
import { BULK_KINDS } from './kinds.ts'
import { previewChange, previewRecords } from './preview.ts'

const api = withSchemas(contract, schemas)
const { users_change, workspaces_change, dashboards_change } = BULK_KINDS

export function bulkChangesRoutes(app: App, deps: Deps) {
  const { catalog } = deps
  const reading = longReads(deps)

  app.route({ ...api.previewUsersChange, handler: ({ actor, body }) => preview(actor, users_change, body) })
  app.route({
    ...api.previewWorkspacesChange,
    handler: ({ actor, body }) => {
      checkCatalog(body)
      return preview(actor, workspaces_change, body)
    },
  })
  app.route({ ...api.previewDashboardsChange, handler: ({ actor, body }) => preview(actor, dashboards_change, body) })
  app.route({ ...api.listUsersChange, handler: ({ actor, body }) => records(actor, users_change, body) })
  app.route({ ...api.listWorkspacesChange, handler: ({ actor, body }) => records(actor, workspaces_change, body) })
  app.route({ ...api.listDashboardsChange, handler: ({ actor, body }) => records(actor, dashboards_change, body) })
  app.route({ ...api.changeUsers, handler: (request) => change(request, users_change, contract.changeUsers) })
  app.route({
    ...api.changeWorkspaces,
    handler: (request) => {
      checkCatalog(request.body)
      return change(request, workspaces_change, contract.changeWorkspaces)
    },
  })
  app.route({
    ...api.changeDashboards,
    handler: (request) => change(request, dashboards_change, contract.changeDashboards),
  })

  function preview(actor: Actor, kind: BulkKind, body: BulkBody) {
    return reading(actor, async (db) => (await previewChange(db, actor, kind, body)).preview)
  }

  function records(actor: Actor, kind: BulkKind, body: BulkBody & BulkRecordsQuery) {
    return reading(actor, (db) => previewRecords(db, actor, kind, body))
  }

  function change(
    request: Pick<FastifyRequest, 'actor' | 'headers' | 'slot'> & { body: BulkBody & Expected },
    kind: BulkKind,
    endpoint: Endpoint,
  ) {
    const { expected_count, expected_changed_count, expected_checksum, ...body } = request.body
    const key = request.headers['idempotency-key']?.toString()
    const expected = { expected_count, expected_changed_count, expected_checksum }
    return changeMany(deps, request.actor, kind, { body, expected, endpoint, key, inSlot: request.slot.run })
  }

  /** Only what the catalog has can be added. */
  function checkCatalog({ set }: BulkBody<'workspaces_change'>) {
    checkNames('roles', catalog.all_roles, { roles: set?.roles?.add ?? [] })
    checkNames('featureflags', catalog.all_featureflags, { featureflags: set?.featureflags?.add ?? [] })
  }
}
