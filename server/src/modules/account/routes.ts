import * as contract from '@watchdesk/contract/account'
import * as schemas from '@watchdesk/contract/account.schema'
import type { Deps } from '../../deps.ts'
import { type App, withSchemas } from '../../plugins/contract.ts'
import { auditStore } from '../activity/store.ts'
import { sessionsOf } from '../auth/session/sessions.ts'
import { usersStore } from '../users/store.ts'
import { accountStore } from './store.ts'

const api = withSchemas(contract, schemas)

export function accountRoutes(app: App, deps: Deps) {
  const account = accountStore(deps)
  const users = usersStore(deps)
  const events = auditStore(deps)

  app.route({ ...api.getAccount, handler: ({ actor }) => account.get(actor) })
  app.route({
    ...api.updateAccount,
    handler: ({ actor, body, headers }) => users.update(actor, actor.id, body, headers['if-match']),
  })
  app.route({
    ...api.changePassword,
    handler: async ({ actor, body }) => void (await users.update(actor, actor.id, body)),
  })
  app.route({
    ...api.listSessions,
    handler: async ({ actor }) => ({ objects: await sessionsOf(deps.db, actor, actor.id, deps.env) }),
  })
  app.route({ ...api.endSession, handler: ({ actor, params }) => account.endSession(actor, params.id) })
  app.route({ ...api.endOtherSessions, handler: ({ actor }) => account.endSession(actor) })
  app.route({ ...api.listAccountEvents, handler: async ({ actor }) => ({ objects: await events.ofAccount(actor) }) })
  app.route({ ...api.dismissNotices, handler: ({ actor, query }) => account.dismissNotices(actor, query.up_to) })
}
