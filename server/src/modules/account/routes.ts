import * as contract from '@watchdesk/contract/account'
import * as schemas from '@watchdesk/contract/account.schema'
import * as tokenContract from '@watchdesk/contract/auth/tokens'
import * as tokenSchemas from '@watchdesk/contract/auth/tokens.schema'
import type { SignInDeps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { auditStore } from '../activity/store.ts'
import { ownSecondFactors } from '../auth/second-factor/account.ts'
import { contextOf, siteOf } from '../auth/second-factor/request-site.ts'
import { sessionsOf } from '../auth/session/sessions.ts'
import { tokensStore } from '../auth/tokens/store.ts'
import { usersStore } from '../users/store.ts'
import { accountStore } from './store.ts'

export function accountRoutes(app: App, deps: SignInDeps) {
  const { db, env } = deps
  const account = accountStore(deps)
  const users = usersStore(deps)
  const events = auditStore(deps)
  const factors = ownSecondFactors(deps)
  const tokens = tokensStore(deps)

  addRoutes(app, contract, schemas, {
    getAccount: ({ actor }) => account.get(actor),
    updateAccount: ({ actor, body, headers }) => users.update(actor, actor.id, body, headers['if-match']),
    changePassword: async ({ actor, body }) => void (await users.update(actor, actor.id, body)),
    listSessions: async ({ actor }) => ({ objects: await sessionsOf(db, actor, actor.id, env) }),
    endSession: ({ actor, params }) => account.endSession(actor, params.id),
    endOtherSessions: ({ actor }) => account.endSession(actor),
    listAccountEvents: async ({ actor }) => ({ objects: await events.ofAccount(actor) }),
    dismissNotices: ({ actor, query }) => account.dismissNotices(actor, query.up_to),
    addAuthenticator: ({ actor }) => factors.addAuthenticator(actor),
    confirmAuthenticator: ({ actor, body }) => factors.confirmAuthenticator(actor, body.code),
    removeAuthenticator: ({ actor }) => factors.removeAuthenticator(actor),
    requestNewPasskey: (request) => factors.requestPasskey(request.actor, siteOf(request, env)),
    addPasskey: (request) => factors.addPasskey(request.actor, request.body, contextOf(request, env)),
    renamePasskey: ({ actor, params, body }) => factors.renamePasskey(actor, params.id, body.name),
    removePasskey: ({ actor, params }) => factors.removePasskey(actor, params.id),
    renewRecoveryCodes: ({ actor }) => factors.renewRecoveryCodes(actor),
  })

  addRoutes(app, tokenContract, tokenSchemas, {
    listTokens: ({ actor }) => tokens.list(actor),
    createToken: ({ actor, body }) => tokens.create(actor, body),
    deleteToken: ({ actor, params }) => tokens.remove(actor, params.id),
  })
}
