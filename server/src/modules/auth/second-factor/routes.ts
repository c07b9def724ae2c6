import * as account from '@watchdesk/contract/account'
import * as accountSchemas from '@watchdesk/contract/account.schema'
import * as session from '@watchdesk/contract/auth/session'
import * as sessionSchemas from '@watchdesk/contract/auth/session.schema'
import type { FastifyRequest } from 'fastify'
import type { SignInDeps } from '../../../deps.ts'
import { consoleAddress } from '../../../plugins/console-address.ts'
import { type App, withSchemas } from '../../../plugins/contract.ts'
import { limited } from '../../../plugins/rate-limits.ts'
import { Problem } from '../../../problem.ts'
import { clientOf } from '../session/pending.ts'
import { ownSecondFactors } from './account.ts'
import { codeSignIns } from './codes.ts'
import { passkeySignIns } from './passkey-sign-in.ts'
import type { Context, Site } from './passkeys.ts'
import { secondFactorSetUp } from './set-up.ts'

const own = withSchemas(account, accountSchemas)
const api = withSchemas(session, sessionSchemas)

export function secondFactorRoutes(app: App, deps: SignInDeps) {
  const { env } = deps
  signInRoutes(app, deps)
  setUpRoutes(app, deps)
  accountRoutes(app, deps)

  const isOn = env.PASSWORD_LOGIN === 'on'
  const options = {
    password: isOn,
    forgotten_password: isOn && env.SMTP_URL !== undefined,
    sso: env.OIDC_ISSUER === undefined ? null : { label: env.OIDC_LABEL },
  }
  app.route({ ...api.getSignInOptions, handler: async () => options })
}

function signInRoutes(app: App, deps: SignInDeps) {
  const { env } = deps
  const codes = codeSignIns(deps)
  const passkeys = passkeySignIns(deps)

  app.route({
    ...limited(api.enterCode, env),
    handler: ({ signingIn, body, log }) => codes.enterCode(signingIn, body.code, log),
  })
  app.route({
    ...limited(api.requestSecondPasskey, env),
    handler: (request) => passkeys.requestSecond(request.signingIn, siteFor(request, deps)),
  })
  app.route({
    ...limited(api.enterSecondPasskey, env),
    handler: (request) => passkeys.enterSecond(request.signingIn, request.body.answer, contextOf(request, deps)),
  })
  app.route({
    ...limited(api.requestPasskey, env),
    handler: (request) => passkeys.request(siteFor(request, deps)),
  })
  app.route({
    ...limited(api.signInWithPasskey, env),
    handler: (request) => passkeys.signIn(request.body.answer, contextOf(request, deps), clientOf(request)),
  })
}

function setUpRoutes(app: App, deps: SignInDeps) {
  const { env } = deps
  const factors = secondFactorSetUp(deps)

  app.route({
    ...limited(api.startAuthenticatorSetUp, env),
    handler: ({ signingIn }) => factors.startAuthenticator(signingIn),
  })
  app.route({
    ...limited(api.finishAuthenticatorSetUp, env),
    handler: ({ signingIn, body, log }) => factors.finishAuthenticator(signingIn, body.code, log),
  })
  app.route({
    ...limited(api.startPasskeySetUp, env),
    handler: (request) => factors.startPasskey(request.signingIn, siteFor(request, deps)),
  })
  app.route({
    ...limited(api.finishPasskeySetUp, env),
    handler: (request) => factors.finishPasskey(request.signingIn, request.body, contextOf(request, deps)),
  })
}

function accountRoutes(app: App, deps: SignInDeps) {
  const factors = ownSecondFactors(deps)

  app.route({ ...own.addAuthenticator, handler: ({ actor }) => factors.addAuthenticator(actor) })
  app.route({
    ...own.confirmAuthenticator,
    handler: ({ actor, body }) => factors.confirmAuthenticator(actor, body.code),
  })
  app.route({ ...own.removeAuthenticator, handler: ({ actor }) => factors.removeAuthenticator(actor) })
  app.route({
    ...own.requestNewPasskey,
    handler: (request) => factors.requestPasskey(request.actor, siteFor(request, deps)),
  })
  app.route({
    ...own.addPasskey,
    handler: (request) => factors.addPasskey(request.actor, request.body, contextOf(request, deps)),
  })
  app.route({
    ...own.renamePasskey,
    handler: ({ actor, params, body }) => factors.renamePasskey(actor, params.id, body.name),
  })
  app.route({ ...own.removePasskey, handler: ({ actor, params }) => factors.removePasskey(actor, params.id) })
  app.route({ ...own.renewRecoveryCodes, handler: ({ actor }) => factors.renewRecoveryCodes(actor) })
}

/** Passkeys are for the address that users open. Without PUBLIC_URL, that is the one of the request. */
function siteFor(request: FastifyRequest, { env }: SignInDeps): Site {
  const address = consoleAddress(env, request)
  if (address === '') throw new Problem(400, 'Passkeys need the address of the console: send the header Origin.')
  const { origin, hostname } = new URL(address)
  return { origin, rpID: hostname }
}

function contextOf(request: FastifyRequest, deps: SignInDeps): Context {
  return { site: siteFor(request, deps), log: request.log }
}
