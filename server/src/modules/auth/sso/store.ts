import type { Session } from '@watchdesk/contract/auth/session'
import type { Client } from '../../../actor.ts'
import { SsoError } from '../../../adapters/oidc/error.ts'
import type { Oidc, SignInRequest } from '../../../adapters/oidc/oidc.ts'
import type { SignInDeps } from '../../../deps.ts'
import { hashToken } from '../../../token.ts'
import { openIdToken } from '../session/id-token.ts'
import { consumePending, findPending, savePending, signInExpired } from '../session/pending.ts'
import { identify } from './accounts.ts'

/** How long the browser has to fetch its session, after the provider has sent it back. */
const DONE_MINUTES = 1

/** A sign-in is kept twice under a token of the browser: until the provider answers, and until the console fetches it. */
export function ssoStore(deps: SignInDeps, oidc: Oidc) {
  const { db, env, sessions } = deps
  const wanted = ['email', ...(env.OIDC_ROLES ? [env.OIDC_ROLES_CLAIM] : [])]

  return { start, receive, finish }

  async function start(options: { isAgain: boolean }) {
    const { url, request } = await oidc.start(options)
    const { token } = await savePending(db, { kind: 'sso', user_id: null, data: request })
    return { url, token }
  }

  /** Whether it succeeds or fails, an answer is accepted once. */
  async function receive(query: string, token: string | undefined, client: Client) {
    const started = token === undefined ? undefined : await consumePending(db, 'sso', hashToken(token))
    if (!started) throw new SsoError('expired', 'The browser has not started this sign-in, or it has ended.')
    const identity = await oidc.finish(query, started.data as SignInRequest, wanted)
    const outcome = await identify(deps, identity, client.ip)
    if ('problem' in outcome) throw new SsoError(outcome.problem, outcome.note)
    const { user_id, note } = outcome
    const data = { proved_at: identity.proved_at?.toISOString() }
    const { id_token } = identity
    const pending = { kind: 'sso_done', user_id, data, id_token, minutes: DONE_MINUTES } as const
    return { token: (await savePending(db, pending)).token, note }
  }

  async function finish(token: string, client: Client): Promise<Session> {
    const token_hash = hashToken(token)
    const done = await findPending(db, ['sso_done'], token_hash)
    if (!done?.user_id) throw signInExpired()
    const { proved_at, id_token } = done.data
    const proof = {
      ...(typeof proved_at === 'string' && { proved_at: new Date(proved_at) }),
      ...(typeof id_token === 'string' && { id_token: openIdToken(token, Buffer.from(id_token, 'base64')) }),
    }
    return sessions.open(done.user_id, { client, method: 'sso', ...proof }, async (trx) => {
      if (!(await consumePending(trx, 'sso_done', token_hash))) throw signInExpired()
    })
  }
}
