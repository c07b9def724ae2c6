import * as contract from '@watchdesk/contract/auth/session'
import * as schemas from '@watchdesk/contract/auth/session.schema'
import type { SignInDeps } from '../../../deps.ts'
import { tokenOf } from '../../../plugins/auth.ts'
import { type App, addRoutes } from '../../../plugins/contract.ts'
import { signOutCookie } from './cookies.ts'
import { openIdToken } from './id-token.ts'
import { clientOf } from './pending.ts'

export function sessionRoutes(app: App, { env, sessions }: SignInDeps) {
  const signedOut = signOutCookie(env)
  const isOn = env.PASSWORD_LOGIN === 'on'
  const options = {
    password: isOn,
    forgotten_password: isOn && env.SMTP_URL !== undefined,
    sso: env.OIDC_ISSUER === undefined ? null : { label: env.OIDC_LABEL },
  }

  addRoutes(app, contract, schemas, {
    getSignInOptions: async () => options,
    login: (request) => sessions.create(request.body, clientOf(request)),
    async logout(request, reply) {
      const sealed = await sessions.remove(request.actor)
      // The page of the sign-out follows.
      if (sealed) signedOut.set(reply, openIdToken(tokenOf(request), sealed))
    },
  })
}
