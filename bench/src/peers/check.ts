import { isDeepStrictEqual } from 'node:util'
import type { Pool } from 'pg'
import type { Contender, WorkName } from '../contender.ts'
import { editedId, newWorkspace, READ_ID } from '../inputs.ts'
import { LISTS, type Peer } from './peer.ts'

const DEADLINE_MS = 120_000
/** Different from all requests that are measured. */
const N = 0
const USERS = `select users.id, users.first_name, workspaces.name as workspace
  from users inner join workspaces on workspaces.id = users.workspace_id`
const LAST_WORKSPACE = `select name, description, status, analytical_quota, ai_quota,
  config = (select config from workspaces order by id limit 1) as has_config from workspaces order by id desc limit 1`

/** Sends one request of this work. Throws unless it returned the right rows, and a write changed the database. */
export async function check(pool: Pool, peer: Peer, { url, headers, works }: Contender, name: WorkName) {
  const { method = 'GET', path, body } = works[name] ?? { path: '' }
  const sent = body?.(N)
  const response = await fetch(`${url}${typeof path === 'string' ? path : path(N)}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: sent,
    signal: AbortSignal.timeout(DEADLINE_MS),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`status ${response.status}: ${text}`)
  if (name === 'create one') {
    const { rows } = await pool.query(LAST_WORKSPACE)
    return mustEqual(rows[0], { ...newWorkspace(N), has_config: true })
  }
  const returned = peer.read(JSON.parse(text))
  if (name in LISTS) return mustEqual(returned, await page(pool, LISTS[name as keyof typeof LISTS]))
  const { rows } = await pool.query(`${USERS} where users.id = $1`, [sent ? editedId(N) : READ_ID])
  mustEqual(returned.users, rows)
  if (sent) mustEqual(rows[0].first_name, JSON.parse(sent).first_name)
}

async function page(pool: Pool, { page, search }: { page: number; search: string }) {
  const where = `where users.search_text like $1`
  const text = `%${search}%`
  const counted = await pool.query(`select count(*)::int as total from users ${where}`, [text])
  const { rows } = await pool.query(`${USERS} ${where} order by users.id limit 20 offset $2`, [text, (page - 1) * 20])
  return { users: rows, total: counted.rows[0].total }
}

function mustEqual(actual: unknown, expected: unknown) {
  if (isDeepStrictEqual(actual, expected)) return
  throw new Error(`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
}
