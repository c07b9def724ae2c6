import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { Actor } from '../actor.ts'
import { databaseFailure } from '../db/errors.ts'
import type { Env } from '../env.ts'
import { forbidden, signedOut } from '../problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route whose access is not public. */
    actor: Actor
  }
}

type SessionSettings = Pick<Env, 'SESSION_IDLE_MINUTES' | 'SESSION_MAX_MINUTES'>

export function hashToken(token: string) {
  return createHash('sha256').update(token).digest()
}

/**
 * Denies by default: the token must match the access of the route before the request is read. It is checked again
 * before every write: see `db/rights.ts`.
 */
export function authenticate(app: FastifyInstance, pool: Pool, settings: SessionSettings) {
  app.decorateRequest('actor')
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (request.is404 || access === 'public') return
    request.actor = await findActor(pool, settings, request)
    if (access === 'super_admin' && !request.actor.is_super_admin) throw forbidden('Only super admins can do this.')
  })
}

/** Runs first on every call, so it is a prepared statement and detects a stuck database early. */
const FIND_ACTOR = {
  name: 'find-actor',
  query_timeout: 1500,
  text: `select users.id, users.full_name as name, users.email, users.workspace_id, users.is_super_admin,
      sessions.created_at + make_interval(mins => $2) as session_ends_at,
      sessions.last_seen_at < now() - least(interval '1 minute', make_interval(mins => $3) / 10) as is_stale
    from sessions join users on users.id = sessions.user_id
    where sessions.token_hash = $1
      and sessions.created_at > now() - make_interval(mins => $2)
      and sessions.last_seen_at > now() - make_interval(mins => $3)
      and users.deleted_at is null and (users.is_admin or users.is_super_admin)`,
}

async function findActor(pool: Pool, settings: SessionSettings, request: FastifyRequest): Promise<Actor> {
  const token = /^Bearer ([\w-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token) throw signedOut()
  const token_hash = hashToken(token)
  const values = [token_hash, settings.SESSION_MAX_MINUTES, settings.SESSION_IDLE_MINUTES]
  const { rows } = await pool.query<Omit<Actor, 'ip' | 'token_hash'> & { is_stale: boolean }>({ ...FIND_ACTOR, values })
  if (!rows[0]) throw signedOut()
  const { is_stale, ...user } = rows[0]
  if (is_stale) await touch(pool, token_hash)
  return { ...user, ip: request.ip, token_hash }
}

/**
 * Once a minute is precise enough for an idle timeout of hours and avoids a write on every read, but not for one of
 * minutes.
 */
async function touch(pool: Pool, token_hash: Buffer) {
  await pool.query('update sessions set last_seen_at = now() where token_hash = $1', [token_hash]).catch((error) => {
    // Reads keep working while the database is read-only.
    if (databaseFailure(error) !== 'read_only') throw error
  })
}
