import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Actor } from '../actor.ts'
import type { Db } from '../db/open.ts'
import type { Env } from '../env.ts'
import { forbidden, Problem } from '../problem.ts'

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

/** Denies by default: before anything of the request is read, its token must fit the access of its route. */
export function authenticate(app: FastifyInstance, db: Db, settings: SessionSettings) {
  app.decorateRequest('actor')
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (request.is404 || access === 'public') return
    request.actor = await findActor(db, settings, request)
    if (access === 'super_admin' && !request.actor.is_super_admin) throw forbidden('Only super admins may do this.')
  })
}

async function findActor(db: Db, settings: SessionSettings, request: FastifyRequest): Promise<Actor> {
  const token = /^Bearer ([\w-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token) throw unauthenticated()
  const token_hash = hashToken(token)
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.full_name as name', 'users.workspace_id', 'users.is_super_admin'])
    .select(sql<boolean>`sessions.last_seen_at < now() - interval '1 minute'`.as('is_stale'))
    .where('sessions.token_hash', '=', token_hash)
    .where(sql<boolean>`sessions.created_at > now() - make_interval(mins => ${settings.SESSION_MAX_MINUTES})`)
    .where(sql<boolean>`sessions.last_seen_at > now() - make_interval(mins => ${settings.SESSION_IDLE_MINUTES})`)
    .where('users.deleted_at', 'is', null)
    .where((where) => where.or([where('users.is_admin', '=', true), where('users.is_super_admin', '=', true)]))
    .executeTakeFirst()
  if (!row) throw unauthenticated()
  const { is_stale, ...user } = row
  if (is_stale) await touch(db, token_hash)
  return { ...user, ip: request.ip, token_hash }
}

/** Once a minute is exact enough for an idle time-out of hours, and spares a write on every read. */
async function touch(db: Db, token_hash: Buffer) {
  await db.updateTable('sessions').set({ last_seen_at: sql`now()` }).where('token_hash', '=', token_hash).execute()
}

function unauthenticated() {
  return new Problem(401, 'Not signed in, or the session has ended.', { 'www-authenticate': 'Bearer' })
}
