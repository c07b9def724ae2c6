import * as contract from '@watchdesk/contract/account'
import * as schemas from '@watchdesk/contract/account.schema'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { auditStore } from '../activity/store.ts'
import { sessionsOf } from '../auth/session/sessions.ts'
import { usersStore } from '../users/store.ts'
import { accountStore } from './store.ts'

export function accountRoutes(app: App, deps: Deps) {
  const account = accountStore(deps)
  const users = usersStore(deps)
  const events = auditStore(deps)

  addRoutes(app, contract, schemas, {
    getAccount: ({ actor }) => account.get(actor),
    updateAccount: ({ actor, body, headers }) => users.update(actor, actor.id, body, headers['if-match']),
    changePassword: async ({ actor, body }) => void (await users.update(actor, actor.id, body)),
    listSessions: async ({ actor }) => ({ objects: await sessionsOf(deps.db, actor, actor.id, deps.env) }),
    endSession: ({ actor, params }) => account.endSession(actor, params.id),
    endOtherSessions: ({ actor }) => account.endSession(actor),
    listAccountEvents: async ({ actor }) => ({ objects: await events.ofAccount(actor) }),
    dismissNotices: ({ actor, query }) => account.dismissNotices(actor, query.up_to),
  })
}
