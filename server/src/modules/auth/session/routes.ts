import * as contract from '@watchdesk/contract/auth/session'
import * as schemas from '@watchdesk/contract/auth/session.schema'
import { requireWritableDatabase } from '../../../db/open.ts'
import type { SignInDeps } from '../../../deps.ts'
import { tokenOf } from '../../../plugins/auth.ts'
import { type App, withSchemas } from '../../../plugins/contract.ts'
import { limited } from '../../../plugins/rate-limits.ts'
import { signOutCookie } from './cookies.ts'
import { openIdToken } from './id-token.ts'
import { clientOf } from './pending.ts'

const api = withSchemas(contract, schemas)

export function sessionRoutes(app: App, { env, pool, sessions }: SignInDeps) {
  app.route({
    ...limited(api.login, env),
    preHandler: () => requireWritableDatabase(pool),
    handler: (request) => sessions.create(request.body, clientOf(request)),
  })
  const signedOut = signOutCookie(env)
  app.route({
    ...api.logout,
    handler: async (request, reply) => {
      const sealed = await sessions.remove(request.actor)
      // The page of the sign-out follows.
      if (sealed) signedOut.set(reply, openIdToken(tokenOf(request), sealed))
    },
  })
}
