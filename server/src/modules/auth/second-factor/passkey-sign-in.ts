import { setTimeout as wait } from 'node:timers/promises'
import type { Session } from '@watchdesk/contract/auth/session'
import { sql } from 'kysely'
import type { Client, SigningIn } from '../../../actor.ts'
import type { SystemDb, Trx } from '../../../db/open.ts'
import type { SignInDeps } from '../../../deps.ts'
import { Problem } from '../../../problem.ts'
import { requirePasswordLogin } from '../session/passwords.ts'
import { signInExpired } from '../session/pending.ts'
import { consumeChallenge, knownPasskeysOf, saveChallenge } from './challenges.ts'
import { requireNoSetUp } from './codes.ts'
import { type Answer, type Context, readUse, requestOptions, type Site } from './passkeys.ts'

/** More than the checks take. */
const FAILURE_MS = 100

type Use = Awaited<ReturnType<typeof readUse>>

export function passkeySignIns({ db, env, semaphores, sessions }: SignInDeps) {
  return { requestSecond, enterSecond, request, signIn }

  async function requestSecond(signingIn: SigningIn, site: Site) {
    requireNoSetUp(signingIn)
    const { user_id } = signingIn
    const passkeys = await knownPasskeysOf(db, user_id)
    if (passkeys.length === 0) throw signInExpired()
    return requestOptions(site, await saveChallenge(db, { purpose: 'second_factor', user_id }), passkeys)
  }

  async function enterSecond(signingIn: SigningIn, answer: Answer, context: Context): Promise<Session> {
    requireNoSetUp(signingIn)
    const { user_id, ip } = signingIn
    const use = await check(answer, { ...context, ip, user_id })
    return sessions.finish(signingIn, 'password_and_passkey', (trx) => accept(trx, use))
  }

  async function request(site: Site) {
    requirePasswordLogin(env)
    return requestOptions(site, await saveChallenge(db, { purpose: 'sign_in', user_id: null }))
  }

  async function signIn(answer: Answer, context: Context, client: Client): Promise<Session> {
    requirePasswordLogin(env)
    const open = async () => {
      const use = await check(answer, { ...context, ip: client.ip, user_id: null })
      // A user who may not use the console gets the same text as for an unknown passkey.
      return sessions.open(use.user_id, { client, method: 'passkey' }, (trx) => accept(trx, use), wrongPasskey)
    }
    return failingSlowly(() => semaphores.signIns.run(open, { key: answer.id }))
  }

  type About = Context & { ip: string; user_id: number | null }

  /** Takes the same steps whether or not the passkey is known. `user_id` is null if the passkey identifies the user. */
  async function check(answer: Answer, { site, log, ip, user_id }: About): Promise<Use> {
    const isAlone = user_id === null
    const challenge = await consumeChallenge(db, answer, { purpose: isAlone ? 'sign_in' : 'second_factor', user_id })
    const passkey = await find(answer, user_id)
    try {
      return await readUse(site, answer, { challenge, passkey, isAlone })
    } catch (error) {
      log.warn(`A passkey was refused: ${error instanceof Error ? error.message : error}`)
      await recordFailure(db, passkey?.user_id ?? user_id, ip)
      throw wrongPasskey()
    }
  }

  function find({ id }: Answer, user_id: number | null) {
    return db
      .selectFrom('passkeys')
      .leftJoin('passkey_handles', 'passkey_handles.user_id', 'passkeys.user_id')
      .select(['id', 'passkeys.user_id', 'credential_id', 'public_key', 'counter', 'transports', 'rp_id', 'handle'])
      .where('credential_id', '=', Buffer.from(typeof id === 'string' ? id : '', 'base64url'))
      .$if(user_id !== null, (query) => query.where('passkeys.user_id', '=', user_id))
      .executeTakeFirst()
  }
}

/** All failures take the same time: that of the checks differs between unknown and known passkeys, and kinds of keys. */
async function failingSlowly<Result>(work: () => Promise<Result>) {
  const end = wait(FAILURE_MS, undefined, { ref: false })
  return work().catch(async (error) => {
    await end
    throw error
  })
}

/** Refuses a passkey that is gone. Its counter shows that a copy of it was used, or another call that was quicker. */
async function accept(trx: Trx, { id, counter, rp_id }: Use) {
  const { numUpdatedRows } = await trx
    .updateTable('passkeys')
    .set({ counter, rp_id, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    // Many authenticators do not count, and always send 0.
    .where(sql<boolean>`(counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw wrongPasskey()
}

/** At most one event a minute for a user, and one for all unknown passkeys, because anybody can send wrong answers. */
async function recordFailure(db: SystemDb, user_id: number | null, ip: string) {
  const changes = JSON.stringify({ step: { before: null, after: 'passkey' } })
  await sql`with first as (
      insert into audit_once (actor_id, what, minute)
      values (${user_id ?? 0}, 'wrong passkey', date_trunc('minute', now())) on conflict do nothing returning actor_id
    )
    insert into audit_events (action, entity, entity_id, changes, ip, record_name, record_detail, workspace_id)
    select 'login_failed', 'session', users.id, ${changes}::jsonb, ${ip}, users.full_name, users.email,
      users.workspace_id
    from first left join users on users.id = first.actor_id`.execute(db)
}

function wrongPasskey() {
  return new Problem(401, 'This passkey was not accepted. Try again, or sign in another way.')
}
