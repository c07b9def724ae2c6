import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * The baseline: plain Fastify and pg that return the same JSON from the same SQL after a token lookup, without
 * validation, access rules, security headers or logging.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify()

const USER = `users.id, users.first_name, users.last_name, users.email, users.workspace_id, users.is_admin,
  users.is_super_admin, users.type, users.language, users.version, json_build_object('name', workspaces.name) as workspace`
const FROM = 'from users inner join workspaces on workspaces.id = users.workspace_id'

app.addHook('onRequest', async (request, reply) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const { rows } = await pool.query(
    `select users.id from sessions inner join users on users.id = sessions.user_id where sessions.token_hash = $1
      and sessions.created_at > now() - make_interval(mins => 1440) and sessions.last_seen_at > now() - make_interval(mins => 480)
      and users.deleted_at is null and (users.is_admin or users.is_super_admin)`,
    [createHash('sha256').update(token).digest()],
  )
  if (rows.length === 0) await reply.code(401).send({ detail: 'Not signed in' })
})

app.get('/api/v1/users/', async () => {
  const counted = await pool.query(
    `select coalesce(sum(live), 0)::int as total from row_counts where table_name = $1`,
    ['users'],
  )
  const { rows } = await pool.query(
    `select ${USER} ${FROM} where users.id in
      (select users.id from users where users.deleted_at is null order by users.id asc limit $1 offset $2) order by users.id asc`,
    [20, 0],
  )
  return { objects: rows, total: counted.rows[0].total, size: 20 }
})

app.get<{ Params: { id: string } }>('/api/v1/users/:id', async ({ params }) => {
  const { rows } = await pool.query(`select ${USER} ${FROM} where users.id = $1 and users.deleted_at is null`, [
    params.id,
  ])
  return rows[0]
})

app.patch<{ Params: { id: string }; Body: { first_name: string } }>('/api/v1/users/:id', async ({ params, body }) => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const current = await client.query('select * from users where id = $1 and deleted_at is null for update', [
      params.id,
    ])
    await client.query(
      'update users set first_name = $1, version = version + 1, updated_at = now(), updated_by = 1 where id = $2',
      [body.first_name, params.id],
    )
    const changes = { first_name: { before: current.rows[0].first_name, after: body.first_name } }
    await client.query(
      `insert into audit_events (actor_id, actor_name, action, entity, entity_id, changes, ip)
      values (1, 'Bench', 'update', 'user', $1, $2, '127.0.0.1')`,
      [params.id, JSON.stringify(changes)],
    )
    const { rows } = await client.query(`select ${USER} ${FROM} where users.id = $1`, [params.id])
    await client.query('commit')
    return rows[0]
  } finally {
    client.release()
  }
})

console.log(`Baseline is ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
