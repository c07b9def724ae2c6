import * as contract from '@watchdesk/contract/auth/session'
import * as schemas from '@watchdesk/contract/auth/session.schema'
import { PENDING_SIGN_IN_MINUTES } from '@watchdesk/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SsoError } from '../../../adapters/oidc/error.ts'
import type { SignInDeps } from '../../../deps.ts'
import { clientOf } from '../../../plugins/auth.ts'
import { type App, addRoutes } from '../../../plugins/contract.ts'
import { Problem } from '../../../problem.ts'
import { createCookie, signOutCookie } from '../session/cookies.ts'
import { signInExpired } from '../session/pending.ts'
import { ssoStore } from './store.ts'

/** The browser opens these addresses itself: they always answer with a redirect, and nothing that comes in goes out again. */
export function ssoRoutes(app: App, deps: SignInDeps) {
  const { env, oidc } = deps
  const store = oidc && ssoStore(deps, oidc)
  const signedOut = signOutCookie(env)
  const started = createCookie('watchdesk_sso', env, {
    path: '/sso',
    sameSite: 'Lax',
    seconds: PENDING_SIGN_IN_MINUTES * 60,
  })
  const done = createCookie('watchdesk_sso_done', env, {
    path: contract.finishSso.url,
    sameSite: 'Strict',
    seconds: 60,
  })

  page('/sso/start', async (request, reply) => {
    if (isFromElsewhere(request)) return '/login'
    const isAgain = new URLSearchParams(queryOf(request)).get('again') === '1'
    const { url, token } = await used(store).start({ isAgain })
    started.set(reply, token)
    return url
  })

  page('/sso/callback', async (request, reply) => {
    started.clear(reply)
    const { token, note } = await used(store).receive(queryOf(request), started.read(request), clientOf(request))
    if (note) request.log.warn(note)
    done.set(reply, token)
    return '/login?sso=done'
  })

  page('/sso/logout', async (request, reply) => {
    if (isFromElsewhere(request)) return '/login'
    const id_token = signedOut.read(request)
    if (id_token) signedOut.clear(reply)
    return (await used(oidc).signOutUrl(id_token)) ?? '/login'
  })

  addRoutes(app, contract, schemas, {
    async finishSso(request, reply) {
      const { finish } = used(store)
      const token = done.read(request)
      if (token === undefined) throw signInExpired()
      const session = await finish(token, clientOf(request))
      done.clear(reply)
      return session
    },
  })

  function page(url: string, target: (request: FastifyRequest, reply: FastifyReply) => Promise<string>) {
    app.get(url, { config: { access: 'public', is_sign_in: true } }, async (request, reply) => {
      used(oidc)
      const location = await target(request, reply).catch((error: unknown) => `/login?sso=${problemOf(request, error)}`)
      return reply.redirect(location, 303)
    })
  }
}

/** Otherwise another site could sign users in whom the provider knows, or out, without a click. */
function isFromElsewhere({ headers }: FastifyRequest) {
  return headers['sec-fetch-site'] === 'cross-site'
}

/** Everything that fails at the server or the provider may work a minute later. */
function problemOf({ log }: FastifyRequest, error: unknown): contract.SsoProblem {
  if (!(error instanceof SsoError)) {
    log.error({ err: error }, 'A single sign-on failed.')
    return 'unreachable'
  }
  log.warn({ sso: error.problem }, `A single sign-on failed. ${error.message}`.trim())
  return error.problem
}

function used<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Problem(404, 'Single sign-on is not set up.')
  return part
}

function queryOf({ url }: FastifyRequest) {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}
