import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Actor } from '../actor.ts'
import type { Env } from '../env.ts'
import { signedOut } from '../problem.ts'
import { hashToken, isApiToken } from '../token.ts'
import { HAS_ACCESS, IN_USE, isInUse, userHasAccess } from './access.ts'
import { databaseFailure } from './errors.ts'

export type FindCaller = (token: string, ip: string, options: { isPolled: boolean | undefined }) => Promise<Actor>

/** A polled call does not keep an idle session alive. */
export function createFindCaller(
  pool: Pool,
  { SESSION_IDLE_MINUTES, SESSION_MAX_MINUTES }: Pick<Env, 'SESSION_IDLE_MINUTES' | 'SESSION_MAX_MINUTES'>,
): FindCaller {
  return async (token, ip, { isPolled }) => {
    const token_hash = hashToken(token)
    const credential = isApiToken(token) ? 'token' : 'session'
    const query =
      credential === 'token'
        ? { ...FIND_BY_API_TOKEN, values: [token_hash] }
        : { ...FIND, values: [token_hash, SESSION_MAX_MINUTES, SESSION_IDLE_MINUTES] }
    const { rows } = await pool.query<Omit<Actor, 'ip' | 'token_hash' | 'credential'> & { is_stale: boolean }>(query)
    const [row] = rows
    if (!row) throw signedOut()
    if (row.is_stale && !isPolled) await touch(pool, credential, token_hash, ip)
    // The row comes last, because V8 takes long to add fields to a copy.
    return { credential, token_hash, ip, ...row }
  }
}

const TABLES = { session: 'sessions', token: 'api_tokens' } as const

/** A database that does not respond in this time counts as unreachable. */
const RESPONSE_MS = 1500

const USER = `users.id, users.full_name as name, users.email, users.workspace_id, users.is_auditor as "isAuditor",
      users.is_super_admin or users.is_auditor as "seesEverything"`

export const FIND = {
  query_timeout: RESPONSE_MS,
  text: `select ${USER}, not users.is_auditor as "mayChange", sessions.proved_at,
      sessions.created_at + make_interval(mins => $2) as session_ends_at,
      sessions.last_seen_at < now() - least(interval '1 minute', make_interval(mins => $3) / 10) as is_stale
    from sessions join users on users.id = sessions.user_id join workspaces on workspaces.id = users.workspace_id
    where sessions.token_hash = $1
      and sessions.created_at > now() - make_interval(mins => $2)
      and sessions.last_seen_at > now() - make_interval(mins => $3)
      and users.deleted_at is null and ${HAS_ACCESS} and ${IN_USE}`,
}

/** A token never has more rights than its owner has now. */
const FIND_BY_API_TOKEN = {
  query_timeout: RESPONSE_MS,
  text: `select ${USER}, not (users.is_auditor or api_tokens.is_read_only) as "mayChange", null as proved_at,
      api_tokens.expires_at as session_ends_at,
      api_tokens.last_seen_at is null or api_tokens.last_seen_at < now() - interval '1 minute' as is_stale
    from api_tokens join users on users.id = api_tokens.user_id
      join workspaces on workspaces.id = users.workspace_id
    where api_tokens.token_hash = $1 and api_tokens.expires_at > now()
      and users.deleted_at is null and ${HAS_ACCESS} and ${IN_USE}`,
}

/** Not at every read: `is_stale` is true once a minute, and more often if the idle timeout is a few minutes. */
async function touch(pool: Pool, credential: keyof typeof TABLES, token_hash: Buffer, ip: string) {
  const text = `update ${TABLES[credential]} set last_seen_at = now(), ip = $2 where token_hash = $1`
  await pool.query(text, [token_hash, ip]).catch((error) => {
    // Reads keep working while the database is read-only.
    if (databaseFailure(error) !== 'read_only') throw error
  })
}

/** Deactivating a workspace ends its sessions but not its tokens, so with a token the workspace is locked too. */
const CREDENTIALS = {
  session: {
    users: sql`users join sessions as credentials on credentials.user_id = users.id`,
    locks: sql`for share of users for key share of credentials`,
  },
  token: {
    users: sql`users join api_tokens as credentials on credentials.user_id = users.id
      join workspaces on workspaces.id = users.workspace_id and ${isInUse}`,
    locks: sql`for share of users, workspaces for key share of credentials`,
  },
}

export function credentialsOf({ credential }: Pick<Actor, 'credential'>) {
  if (credential === 'job') throw new Error('A job has no sign-in to check: it writes with `writeForJob`.')
  return CREDENTIALS[credential]
}

/** As when the call began. */
export function hasSameRights(actor: Actor): RawBuilder<boolean> {
  return sql<boolean>`users.id = ${actor.id} and credentials.token_hash = ${actor.token_hash}
    and clock_timestamp() < ${actor.session_ends_at}
    and users.deleted_at is null and users.workspace_id = ${actor.workspace_id}
    and (users.is_super_admin or users.is_auditor) = ${actor.seesEverything} and users.is_auditor = ${actor.isAuditor}
    and ${userHasAccess}`
}
