import * as account from '@watchdesk/contract/account'
import * as accountSchemas from '@watchdesk/contract/account.schema'
import * as session from '@watchdesk/contract/auth/session'
import * as sessionSchemas from '@watchdesk/contract/auth/session.schema'
import type { FastifyRequest } from 'fastify'
import type { SignInDeps } from '../../../deps.ts'
import { consoleAddress } from '../../../plugins/console-address.ts'
import { type App, addRoutes } from '../../../plugins/contract.ts'
import { Problem } from '../../../problem.ts'
import { clientOf } from '../session/pending.ts'
import { ownSecondFactors } from './account.ts'
import { codeSignIns } from './codes.ts'
import { passkeySignIns } from './passkey-sign-in.ts'
import type { Context, Site } from './passkeys.ts'
import { secondFactorSetUp } from './set-up.ts'

export function secondFactorRoutes(app: App, deps: SignInDeps) {
  const codes = codeSignIns(deps)
  const passkeys = passkeySignIns(deps)
  const setUp = secondFactorSetUp(deps)
  const own = ownSecondFactors(deps)
  const site = (request: FastifyRequest) => siteFor(request, deps)
  const context = (request: FastifyRequest): Context => ({ site: site(request), log: request.log })

  addRoutes(app, session, sessionSchemas, {
    enterCode: ({ signingIn, body, log }) => codes.enterCode(signingIn, body.code, log),
    requestSecondPasskey: (request) => passkeys.requestSecond(request.signingIn, site(request)),
    enterSecondPasskey: (request) => passkeys.enterSecond(request.signingIn, request.body.answer, context(request)),
    requestPasskey: (request) => passkeys.request(site(request)),
    signInWithPasskey: (request) => passkeys.signIn(request.body.answer, context(request), clientOf(request)),
    startAuthenticatorSetUp: ({ signingIn }) => setUp.startAuthenticator(signingIn),
    finishAuthenticatorSetUp: ({ signingIn, body, log }) => setUp.finishAuthenticator(signingIn, body.code, log),
    startPasskeySetUp: (request) => setUp.startPasskey(request.signingIn, site(request)),
    finishPasskeySetUp: (request) => setUp.finishPasskey(request.signingIn, request.body, context(request)),
  })

  addRoutes(app, account, accountSchemas, {
    addAuthenticator: ({ actor }) => own.addAuthenticator(actor),
    confirmAuthenticator: ({ actor, body }) => own.confirmAuthenticator(actor, body.code),
    removeAuthenticator: ({ actor }) => own.removeAuthenticator(actor),
    requestNewPasskey: (request) => own.requestPasskey(request.actor, site(request)),
    addPasskey: (request) => own.addPasskey(request.actor, request.body, context(request)),
    renamePasskey: ({ actor, params, body }) => own.renamePasskey(actor, params.id, body.name),
    removePasskey: ({ actor, params }) => own.removePasskey(actor, params.id),
    renewRecoveryCodes: ({ actor }) => own.renewRecoveryCodes(actor),
  })
}

/** Passkeys are for the address that users open. Without PUBLIC_URL, that is the one of the request. */
function siteFor(request: FastifyRequest, { env }: SignInDeps): Site {
  const address = consoleAddress(env, request)
  if (address === '') throw new Problem(400, 'Passkeys need the address of the console: send the header Origin.')
  const { origin, hostname } = new URL(address)
  return { origin, rpID: hostname }
}
