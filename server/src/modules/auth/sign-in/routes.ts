import * as links from '@watchdesk/contract/auth/links'
import * as linkSchemas from '@watchdesk/contract/auth/links.schema'
import * as session from '@watchdesk/contract/auth/session'
import * as sessionSchemas from '@watchdesk/contract/auth/session.schema'
import type { SignInDeps } from '../../../deps.ts'
import { clientOf, tokenOf } from '../../../plugins/auth.ts'
import { type App, addRoutes } from '../../../plugins/contract.ts'
import { linksStore } from '../links/use-link.ts'
import { codeSignIns } from '../second-factor/codes.ts'
import { passkeySignIns } from '../second-factor/passkey-sign-in.ts'
import { contextOf, siteOf } from '../second-factor/request-site.ts'
import { secondFactorSetUp } from '../second-factor/set-up.ts'
import { signOutCookie } from '../session/cookies.ts'
import { openIdToken } from '../session/id-token.ts'

export function signInRoutes(app: App, deps: SignInDeps) {
  const { env, sessions } = deps
  const link = linksStore(deps)
  const codes = codeSignIns(deps)
  const passkeys = passkeySignIns(deps)
  const setUp = secondFactorSetUp(deps)
  const signedOut = signOutCookie(env)

  const isOn = env.PASSWORD_LOGIN === 'on'
  const options = {
    password: isOn,
    forgotten_password: isOn && env.SMTP_URL !== undefined,
    sso: env.OIDC_ISSUER === undefined ? null : { label: env.OIDC_LABEL },
  }

  addRoutes(app, session, sessionSchemas, {
    getSignInOptions: async () => options,
    login: (request) => sessions.create(request.body, clientOf(request)),
    async logout(request, reply) {
      const sealed = await sessions.remove(request.actor)
      if (sealed) signedOut.set(reply, openIdToken(tokenOf(request), sealed))
    },
    enterCode: ({ signingIn, body, log }) => codes.enterCode(signingIn, body.code, log),
    requestSecondPasskey: (request) => passkeys.requestSecond(request.signingIn, siteOf(request, env)),
    enterSecondPasskey: (request) =>
      passkeys.enterSecond(request.signingIn, request.body.answer, contextOf(request, env)),
    requestPasskey: (request) => passkeys.request(siteOf(request, env)),
    signInWithPasskey: (request) => passkeys.signIn(request.body.answer, contextOf(request, env), clientOf(request)),
    startAuthenticatorSetUp: ({ signingIn }) => setUp.startAuthenticator(signingIn),
    finishAuthenticatorSetUp: ({ signingIn, body, log }) => setUp.finishAuthenticator(signingIn, body.code, log),
    startPasskeySetUp: (request) => setUp.startPasskey(request.signingIn, siteOf(request, env)),
    finishPasskeySetUp: (request) => setUp.finishPasskey(request.signingIn, request.body, contextOf(request, env)),
  })

  addRoutes(app, links, linkSchemas, {
    openLink: ({ body }) => link.open(body.token),
    choosePassword: ({ body, ip }) => link.choosePassword(body.token, body.password, ip),
    forgotPassword: ({ body }) => link.forgotPassword(body.email),
    signInWithLink: (request) => link.signIn(request.body.token, clientOf(request)),
  })
}
