import { createHash, randomUUID } from 'node:crypto'
import { WORKSPACE_DEFAULTS } from '@watchdesk/contract/workspace-settings'
import { logRequests, openLog } from '@watchdesk/server/plugins/log'
import Fastify from 'fastify'
import pg from 'pg'
import { foundUsers, usersPage } from './baseline-lists.ts'
import { foundSources, sourcesPage } from './baseline-sources.ts'
import { CREATE_WORKSPACE, EDIT_USER, FIND_ACTOR, LOCK_USER, READ_USER, type Sort } from './baseline-sql.ts'
import type { newWorkspace } from './inputs.ts'

/**
 * The baseline: what a good engineer writes by hand with Fastify and pg alone. The same JSON from the same SQL on the
 * same tables (but for search), the same token lookup, the same audit event in the transaction of the change and the
 * same log, with named prepared statements. It has no validation, access rules, locks on the caller's rights, version
 * check, security headers, metrics or load shedding, so it does less than a server that can be put into production.
 */
const { DATABASE_URL, LOG_LEVEL } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
const logger = { level: LOG_LEVEL, stream: openLog() }
const app = Fastify({ logger, disableRequestLogging: true, genReqId: () => randomUUID() })

declare module 'fastify' {
  interface FastifyRequest {
    actor: { id: number; name: string }
  }
}
app.decorateRequest('actor')
logRequests(app)

app.addHook('onRequest', async (request, reply) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const values = [createHash('sha256').update(token).digest(), 1440, 480]
  const { rows } = await pool.query({ ...FIND_ACTOR, values })
  if (rows.length === 0) return reply.code(401).send({ detail: 'Not signed in' })
  request.actor = rows[0]
})

type Lists = { Querystring: { page?: string; sort?: Sort; search?: string } }
app.get<Lists>('/api/v1/users/', async ({ query: { page = 1, sort = 'id', search } }) =>
  search ? foundUsers(pool, search, Number(page)) : usersPage(pool, sort, Number(page)),
)

app.get<Lists>('/api/v1/sources/', async ({ query: { page = 1, search } }) =>
  search ? foundSources(pool, search) : sourcesPage(pool, Number(page)),
)

app.get<{ Params: { id: string } }>('/api/v1/users/:id', async ({ params }) => {
  const { rows } = await pool.query({ ...READ_USER, values: [params.id] })
  const { locked_until, ...user } = rows[0]
  return locked_until === null ? user : { ...user, locked_until }
})

type Edit = { Params: { id: string }; Body: { first_name: string } }
app.patch<Edit>('/api/v1/users/:id', async ({ params: { id }, body: { first_name }, actor, ip }) =>
  inTransaction(async (client) => {
    const { rows: locked } = await client.query({ ...LOCK_USER, values: [id] })
    const { last_name, email, workspace_id, version, ...current } = locked[0]
    const changes = { first_name: { before: current.first_name, after: first_name } }
    const record = [`${first_name} ${last_name}`, email, workspace_id, version + 1]
    const values = [id, first_name, actor.id, actor.name, JSON.stringify(changes), ip, ...record]
    const { rows } = await client.query({ ...EDIT_USER, values })
    return rows[0]
  }),
)

type Create = { Body: ReturnType<typeof newWorkspace> & { powerbi_dashboards: [] } }
app.post<Create>('/api/v1/workspaces/', async ({ body, actor, ip }, reply) => {
  const after = { ...WORKSPACE_DEFAULTS, ...body }
  const { name, description, status, trial_end_date, analytical_quota, ai_quota, powerbi_dashboards, ...config } = after
  const changes = Object.fromEntries(
    Object.entries(after).map(([field, value]) => [field, { before: null, after: value }]),
  )
  reply.code(201)
  return inTransaction(async (client) => {
    const json = [analytical_quota, ai_quota, { ...config, tags: [] }].map((value) => JSON.stringify(value))
    const event = [actor.id, actor.name, JSON.stringify(changes), ip]
    const values = [name, description, status, trial_end_date, ...json, ...event]
    const { rows } = await client.query({ ...CREATE_WORKSPACE, values })
    return rows[0]
  })
})

async function inTransaction<Result>(work: (client: pg.PoolClient) => Promise<Result>) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

console.log(`Baseline is ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
