import * as contract from '@watchdesk/contract/account'
import * as schemas from '@watchdesk/contract/account.schema'
import type { Deps } from '../../deps.ts'
import { type App, withSchemas } from '../../plugins/contract.ts'
import { accountStore } from './store.ts'

const api = withSchemas(contract, schemas)

export function accountRoutes(app: App, deps: Deps) {
  const account = accountStore(deps)

  app.route({ ...api.getAccount, handler: ({ actor }) => account.get(actor) })
  app.route({
    ...api.updateAccount,
    handler: ({ actor, body, headers }) => account.update(actor, body, headers['if-match']),
  })
  app.route({ ...api.changePassword, handler: ({ actor, body }) => account.changePassword(actor, body) })
  app.route({ ...api.listSessions, handler: ({ actor }) => account.listSessions(actor) })
  app.route({ ...api.endSession, handler: ({ actor, params }) => account.endSession(actor, params.id) })
  app.route({ ...api.endOtherSessions, handler: ({ actor }) => account.endOtherSessions(actor) })
  app.route({ ...api.listAccountEvents, handler: ({ actor }) => account.listEvents(actor) })
  app.route({ ...api.dismissNotices, handler: ({ actor, query }) => account.dismissNotices(actor, query.up_to) })
}
