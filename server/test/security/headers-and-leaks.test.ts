import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '../../src/token.ts'
import { FIRST_ADMIN, insertUser, openSession } from '../helpers/people.ts'
import { sendRaw } from '../helpers/raw.ts'
import { ADMIN, PASSWORD, useWatchdesk } from '../helpers/watchdesk.ts'

const log: string[] = []
const watchdesk = useWatchdesk(
  { LOG_LEVEL: 'trace' },
  { logStream: { write: (line) => void log.push(line) }, isListening: true },
)
const secure = useWatchdesk({ PUBLIC_URL: 'https://watchdesk.example.com', LOGIN_RATE_LIMIT: '1' })

const HEADERS = {
  'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';.* frame-ancestors 'none'/),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
}

beforeAll(async () => {
  // Makes the server fail on demand: the database rejects a row for a reason that the code does not handle.
  for (const [table, column] of [
    ['powerbi_dashboards', 'name'],
    ['users', 'first_name'],
  ] as const) {
    await sql`alter table ${sql.table(table)} add check (${sql.ref(column)} <> 'Refused')`.execute(
      watchdesk.database.db,
    )
  }
})

const json = { 'content-type': 'application/json' }
const link = 'https://bi.example.com/x'

/** One request for each status that the API returns. */
const REQUESTS: [status: number, InjectOptions][] = [
  [200, { url: '/api/v1/users/' }],
  [200, { url: '/%61pi/v1/users/me' }],
  [200, { url: '/api/docs' }],
  [200, { url: '/health/live' }],
  [200, { url: '/health/ready' }],
  [200, { url: '/metrics' }],
  [201, { method: 'POST', url: '/api/v1/powerbi_dashboards/', payload: { name: 'Made', embed_link: link } }],
  [204, { method: 'DELETE', url: '/api/v1/powerbi_dashboards/1' }],
  [400, { method: 'POST', url: '/api/v1/login', headers: json, payload: '{' }],
  [400, { url: '/api/v1/users/%zz' }],
  [401, { url: '/api/v1/users/', headers: { authorization: 'Bearer garbage' } }],
  [401, { method: 'POST', url: '/api/v1/login', payload: { ...ADMIN, password: 'wrong' } }],
  [403, { url: '/metrics', headers: { forwarded: 'for=127.0.0.1' } }],
  [404, { url: '/api/v1/users/2147483647' }],
  [404, { url: '/api/v1/nothing' }],
  [404, { method: 'POST', url: '/nothing' }],
  [404, { method: 'OPTIONS', url: '/api/v1/users/' }],
  [409, { method: 'DELETE', url: '/api/v1/users/1' }],
  [412, { method: 'PATCH', url: '/api/v1/users/1', headers: { 'if-match': '"99"' }, payload: {} }],
  [413, { method: 'POST', url: '/api/v1/login', headers: json, payload: ' '.repeat(2_000_000) }],
  [415, { method: 'POST', url: '/api/v1/login', headers: { 'content-type': 'text/plain' }, payload: 'x' }],
  [422, { method: 'POST', url: '/api/v1/login', payload: {} }],
  [422, { url: '/api/v1/users/?page=x' }],
  [500, { method: 'POST', url: '/api/v1/powerbi_dashboards/', payload: { name: 'Refused', embed_link: link } }],
]

describe('every response has the security headers', () => {
  test.each(REQUESTS)('%i, as to %o', async (status, request) => {
    const authorization = `Bearer ${watchdesk.admin.token}`
    const response = await watchdesk.app.inject({ ...request, headers: { authorization, ...request.headers } })
    expect(response.statusCode).toBe(status)
    expect(response.headers).toMatchObject(HEADERS)
    expect(response.headers).not.toHaveProperty('strict-transport-security')
    expect(response.headers).not.toHaveProperty('x-powered-by')
  })

  test.each(['GARBAGE\r\n\r\n', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'])('400, as to %j', async (bytes) => {
    const response = await sendRaw(watchdesk.port, bytes)
    expect(response.status).toBe(400)
    expect(Object.fromEntries(response.headers)).toMatchObject(HEADERS)
  })

  test('including the console, which may be cached if it is revalidated', async () => {
    const { headers, statusCode } = await watchdesk.app.inject('/users')
    expect(headers).toMatchObject({ ...HEADERS, 'cache-control': statusCode === 200 ? 'no-cache' : 'no-store' })
  })

  test('and HSTS if the public address is https', async () => {
    const hsts = { 'strict-transport-security': 'max-age=31536000' }
    expect((await secure.anonymous('GET', '/health/live')).headers).toMatchObject({ ...HEADERS, ...hsts })
    const limited = await secure.anonymous('POST', '/api/v1/login', ADMIN)
    expect(limited.status).toBe(429)
    expect(limited.headers).toMatchObject({ ...HEADERS, ...hsts, 'retry-after': expect.stringMatching(/^\d+$/) })
  })

  test('and an id that the caller did not choose', async () => {
    const ids = { 'x-request-id': 'forged', 'request-id': 'forged' }
    const { headers } = await watchdesk.anonymous('GET', '/health/live', undefined, ids)
    expect(headers['x-request-id']).not.toBe('forged')
  })
})

describe('canary secrets', () => {
  const CANARY = 'canary-4711-secret'
  const responses: string[] = []

  async function send(status: number, request: InjectOptions) {
    const response = await watchdesk.app.inject(request)
    responses.push(JSON.stringify(response.headers) + response.body)
    expect(response.statusCode, response.body).toBe(status)
    return response
  }

  const people = { first_name: 'Cana', last_name: 'Ry', workspace_id: 1, is_admin: true }
  const user = (email: string, more = {}) => ({ ...people, email, password: CANARY, ...more })

  test('in passwords and tokens appear in no response and no log line, whether a call succeeds or fails', async () => {
    log.length = 0
    const as = (token: string) => ({ authorization: `Bearer ${token}` })
    const admin = as((await openSession(watchdesk, FIRST_ADMIN.id)).token)
    const post = (path: string, payload: InjectOptions['payload'], more = {}): InjectOptions => {
      return { method: 'POST', url: `/api/v1/${path}`, payload, headers: { ...json, ...admin, ...more } }
    }
    const created = await send(201, post('users/', user('canary@example.com')))
    const signedIn = await watchdesk.app.inject(post('login', { email: 'canary@example.com', password: CANARY }))
    const token: string = signedIn.json().access_token
    const own = `users/${created.json().id}`

    await send(200, { ...post(own, { password: `${CANARY}-2`, last_name: 'Changed' }), method: 'PATCH' })
    await send(401, { url: '/api/v1/users/me', headers: as(token) })
    await send(401, { url: '/api/v1/users/me', headers: as(CANARY) })
    await send(401, { url: '/api/v1/users/me', headers: { authorization: `Basic ${CANARY}` } })
    await send(401, post('login', { email: 'canary@example.com', password: CANARY }))
    await send(401, post('login', { email: 'nobody@example.com', password: CANARY }))
    await send(409, post('users/', user('CANARY@example.com')))
    await send(422, post('users/', user('other@example.com', { workspace_id: 999_999 })))
    await send(422, post('users/', user('other@example.com', { type: CANARY, password: [CANARY] })))
    await send(422, post('users/', user('other@example.com', { password: CANARY.padEnd(2000, 'x') })))
    await send(422, { url: `/api/v1/users/?page=${CANARY}`, headers: admin })
    await send(400, post('login', `{"password":"${CANARY}",`))
    await send(415, post('login', `password=${CANARY}`, { 'content-type': 'text/plain' }))
    await send(500, post('users/', user('refused@example.com', { first_name: 'Refused' })))
    await send(500, { ...post(own, { first_name: 'Refused', password: `${CANARY}-3` }), method: 'PATCH' })
    await send(200, { url: '/api/v1/audit/?page_size=100', headers: admin })

    await sql`alter table sessions rename to lost`.execute(watchdesk.database.db)
    await send(500, { url: '/api/v1/users/me', headers: as(CANARY) })
    await sql`alter table lost rename to sessions`.execute(watchdesk.database.db)

    const { password_hash } = await watchdesk.database.db
      .selectFrom('users')
      .select('password_hash')
      .where('email', '=', 'canary@example.com')
      .executeTakeFirstOrThrow()
    const said = [...responses, ...log].join('\n')
    expect(said).toContain('canary@example.com')
    const hashes = (['hex', 'base64', 'base64url'] as const).map((encoding) => hashToken(token).toString(encoding))
    for (const secret of [CANARY, token, password_hash, '$argon2', ...hashes]) expect(said).not.toContain(secret)
  })

  test('aside, responses reveal nothing about the code and the database', () => {
    const inside =
      /\bat .+:\d+:\d+|node_modules|\.ts\b|insert into|select |\bpg_|kysely|constraint|relation|check_|stack/i
    expect(
      responses.filter((response) => inside.test(response.replace(/"content-security-policy":"[^"]*"/, ''))),
    ).toEqual([])
  })

  test('aside, the log has the error under the request id of the response, without the SQL or the row', async () => {
    log.length = 0
    const { id } = await insertUser(watchdesk, { workspace_id: 1 })
    const response = await watchdesk.admin('PATCH', `/api/v1/users/${id}`, {
      first_name: 'Refused',
      password: PASSWORD,
    })
    expect(response.status).toBe(500)
    const lines = log.map((line) => JSON.parse(line)).filter((line) => line.reqId === response.headers['x-request-id'])
    expect(lines).toMatchObject([
      { err: { code: '23514', constraint: 'users_first_name_check', stack: expect.stringContaining('store.ts') } },
      { method: 'PATCH', path: `/api/v1/users/${id}`, status: 500, user_id: FIRST_ADMIN.id },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/Failing row|update "users"/)
  })
})
