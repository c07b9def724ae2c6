import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { runToEnd, startServer } from '../../../scripts/start-server.mjs'
import type { Peer } from './peer.ts'

/** The tables of Directus, apart from ours. */
const SCHEMA = 'directus_bench'
const TOKEN = 'bench-and-nothing-else'
/** The text columns that the search leaves out: `search_text` contains what our own search covers. */
const NOT_SEARCHED = ['first_name', 'last_name', 'email', 'password_hash', 'type', 'language', 'full_name']

const FIELDS =
  'fields=id,first_name,last_name,email,is_admin,is_super_admin,type,language,version,workspace_id.id,workspace_id.name'

type Body = { data: User | User[]; meta?: { filter_count: number } }
type User = { id: number; first_name: string; workspace_id: { name: string } }

export const directus: Peer = {
  name: 'Directus',
  folder: 'directus',
  headers: { authorization: `Bearer ${TOKEN}` },
  list: ({ page, search }) =>
    `/items/users?limit=20&meta=filter_count&${FIELDS}&page=${page}${search ? `&search=${search}` : ''}`,
  get: (id) => `/items/users/${id}?${FIELDS}`,
  edit: { method: 'PATCH', path: (id) => `/items/users/${id}?${FIELDS}` },
  create: { path: '/items/workspaces' },
  read(body) {
    const { data, meta } = body as Body
    return { users: [data].flat().map(userOf), total: meta?.filter_count }
  },
  async start({ folder, databaseUrl, signal }) {
    await replaceSchema(databaseUrl, `create schema ${SCHEMA}`)
    // Runs scripts of flows and extensions, which there are none of. Compiling it takes minutes.
    await writeFile(join(folder, 'node_modules/isolated-vm/isolated-vm.js'), 'module.exports = {}')
    const newerNode = join(folder, 'node_modules/.bin/node')
    const node = existsSync(newerNode) ? newerNode : process.execPath
    const settings = settingsFor(databaseUrl)
    const bootstrap = [node, 'node_modules/@directus/api/dist/cli/run.js', 'bootstrap']
    const { code, output } = await runToEnd(bootstrap, settings, { cwd: folder, signal })
    if (code !== 0) throw new Error(`It cannot create its tables: ${output}`)
    const server = await startServer(settings, { command: [node, 'app.mjs'], cwd: folder, signal })
    await limitSearch(server.url)
    return server
  },
  cleanUp: (databaseUrl) => replaceSchema(databaseUrl),
}

function userOf({ id, first_name, workspace_id }: User) {
  return { id, first_name, workspace: workspace_id.name }
}

async function replaceSchema(connectionString: string, create = '') {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`drop schema if exists ${SCHEMA} cascade; ${create}`)
  await client.end()
}

function settingsFor(databaseUrl: string) {
  return {
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    TELEMETRY: 'false',
    // No load shedding, as for Watchdesk.
    PRESSURE_LIMITER_ENABLED: 'false',
    SECRET: TOKEN,
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: TOKEN,
    ADMIN_TOKEN: TOKEN,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl,
    DB_SEARCH_PATH: `array:${SCHEMA},public`,
    DB_POOL__MIN: '0',
    DB_POOL__MAX: '10',
  }
}

/** Adds the collection, and keeps all but one of its columns out of the search. */
async function limitSearch(url: string) {
  const meta = NOT_SEARCHED.map((field) => ({ field, meta: { searchable: false } }))
  for (const [path, body] of [
    ['/collections/users', { meta: { hidden: false } }],
    ['/fields/users', meta],
  ] as const) {
    const response = await fetch(`${url}${path}`, {
      method: 'PATCH',
      headers: { ...directus.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`It cannot be configured: ${path} returned ${await response.text()}`)
  }
}
