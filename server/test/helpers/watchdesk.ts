import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditEvent, AuditPage } from '@watchdesk/contract/activity'
import type { Session } from '@watchdesk/contract/auth/session'
import type { User, UserCreate } from '@watchdesk/contract/users'
import type { WorkspaceBody } from '@watchdesk/contract/workspaces'
import type { InjectOptions } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'
import { NO_LOAD_SHEDDING } from '../../../scripts/start-server.mjs'
import { buildApp } from '../../src/app.ts'
import { createDeps } from '../../src/create-deps.ts'
import { bootstrap } from '../../src/db/bootstrap.ts'
import { connect, type Database } from '../../src/db/open.ts'
import type { ServerDeps } from '../../src/deps.ts'
import { readEnv } from '../../src/env.ts'
import type { HashOptions } from '../../src/modules/auth/session/passwords.ts'
import type { App } from '../../src/plugins/contract.ts'
import type { LogStream } from '../../src/plugins/log.ts'
import { prepareDeps } from '../../src/prepare-deps.ts'
import { TEMPLATE } from './postgres.ts'

export const ADMIN = { email: 'admin@watchdesk.local', password: 'correct horse 9' }
export const PASSWORD = 'staple battery 7'

export const QUOTAS = {
  analytical_quota: { limit: 10_000, balance: 7_250, renewal_date: '2026-12-01T00:00:00' },
  ai_quota: { limit: 500, balance: 180, renewal_date: '2026-12-01T00:00:00' },
}

/** A hash at the real cost takes 15 ms of processor time, and a sign-in is in nearly every test. */
const CHEAP: HashOptions = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 }

type Options = {
  logStream?: LogStream
  /** Any migrated database; otherwise a new one. */
  database?: Database
  /** For tests about how long a sign-in takes. */
  hasRealHashes?: boolean
  /** For tests with a real connection. */
  isListening?: boolean
}

/** A response body with the fields that a test reads. */
type Loose = { readonly [field: string]: Loose }
export type ApiResponse<Body> = { status: number; body: Body; headers: Record<string, unknown> }
export type Caller = {
  <Body = Loose>(
    method: InjectOptions['method'],
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<Body>>
  token: string
}

/** The real app with a separate database, for one test file. */
export function useWatchdesk(settings: Record<string, string> = {}, options: Options = {}) {
  const watchdesk = {} as Watchdesk
  let stop: () => Promise<void>
  beforeAll(async () => {
    const started = await startWatchdesk(settings, options)
    stop = started.stop
    Object.assign(watchdesk, started.watchdesk)
  })
  afterAll(() => stop())
  return watchdesk
}

export type Watchdesk = {
  app: App
  deps: ServerDeps
  database: Database
  /** Where it listens, if it does. */
  url: string
  port: number
  /** Calls without a token. */
  anonymous: Caller
  /** Calls as the first super admin. */
  admin: Caller
  signIn(email: string, password?: string): Promise<Caller>
  createWorkspace(body?: Partial<WorkspaceBody>): Promise<{ id: number; name: string; version: number }>
  createUser(body: Partial<UserCreate>): Promise<User>
  /** A user who is signed in. */
  createPerson(body?: Partial<UserCreate>): Promise<User & { call: Caller }>
  createDashboard(name?: string): Promise<number>
  /** The events that the query finds, newest first. */
  eventsOf(query: string, call?: Caller): Promise<AuditEvent[]>
}

/** The same for one test. */
export async function startWatchdesk(
  settings: Record<string, string>,
  { logStream, hasRealHashes = false, isListening = false, ...given }: Options = {},
) {
  const database = given.database ?? (await cloneDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'watchdesk-data-'))
  const env = readEnv({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    LOGIN_RATE_LIMIT: '1000000',
    EXPENSIVE_RATE_LIMIT: '1000000',
    SESSIONS_PER_USER: '1000000',
    ...NO_LOAD_SHEDDING,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    ...settings,
  })
  const prepared = await prepareDeps(env, hasRealHashes ? undefined : CHEAP)
  const { deps, close } = await createDeps(prepared, database, logStream)
  const { db, catalog, passwords, vectorizing, jobs } = deps
  await bootstrap({ db, env, hash: passwords.hash, websiteConfig: catalog })
  const app = await buildApp(deps)
  await app.ready()
  const url = isListening ? await app.listen({ host: '127.0.0.1', port: 0 }) : ''

  const signIn = async (email: string, password = PASSWORD) => {
    const response = await caller(app, '')<Session>('POST', '/api/v1/login', { email, password })
    if (response.status !== 200) throw new Error(`${email} cannot sign in: ${JSON.stringify(response.body)}`)
    return caller(app, response.body.access_token)
  }
  const admin = await signIn(ADMIN.email, ADMIN.password)
  let serial = 0
  const watchdesk: Watchdesk = {
    app,
    deps,
    database,
    url,
    port: isListening ? Number(new URL(url).port) : 0,
    anonymous: caller(app, ''),
    admin,
    signIn,
    async createWorkspace(body = {}) {
      serial += 1
      return created(await admin('POST', '/api/v1/workspaces/', { name: `Workspace ${serial}`, ...QUOTAS, ...body }))
    },
    async createUser(body) {
      serial += 1
      const named = {
        first_name: 'Test',
        last_name: `User ${serial}`,
        email: `user${serial}@example.com`,
        password: PASSWORD,
      }
      return created(await admin('POST', '/api/v1/users/', { ...named, workspace_id: 1, ...body }))
    },
    async createPerson(body = { is_admin: true }) {
      const user = await watchdesk.createUser(body)
      return { ...user, call: await signIn(user.email, body.password) }
    },
    async createDashboard(name = 'Reach') {
      const body = { name, embed_link: 'https://bi.example.com/reach' }
      return created(await admin<{ id: number }>('POST', '/api/v1/powerbi_dashboards/', body)).id
    },
    eventsOf: async (query, call = admin) => (await call<AuditPage>('GET', `/api/v1/audit/?${query}`)).body.objects,
  }
  return {
    watchdesk,
    async stop() {
      // Closes idle connections, because no requests are in flight.
      app.server.closeIdleConnections()
      await app.close()
      await vectorizing.stop()
      await jobs.stop()
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The path of one of our own URLs, whatever its host. */
export function pathOf(address: string | null) {
  return new URL(address ?? '').pathname
}

function created<Body>(response: ApiResponse<Body>) {
  if (response.status !== 201) throw new Error(JSON.stringify(response.body))
  return response.body
}

export function caller(app: App, token: string): Caller {
  const call = async (
    method: InjectOptions['method'],
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await app.inject({
      method,
      url,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { payload: body as object }),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return { status: response.statusCode, body: isJson ? response.json() : response.body, headers: response.headers }
  }
  return Object.assign(call as Caller, { token })
}

/** Another server of the database until the test ends, with other settings or parts. */
export async function startAnother({ deps, admin }: Watchdesk, { env, ...parts }: Changed) {
  const app = await buildApp({ ...deps, ...parts, env: { ...deps.env, ...env } })
  onTestFinished(() => app.close())
  return { app, anonymous: caller(app, ''), admin: caller(app, admin.token) }
}

type Changed = Partial<Omit<ServerDeps, 'env'>> & { env?: Partial<ServerDeps['env']> }

/** A database cloned from the migrated template, or an empty one. */
export async function cloneDatabase(template = TEMPLATE) {
  const postgres = inject('postgres')
  const database = `watchdesk_test_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client(postgres)
  await admin.connect()
  await admin.query(`create database ${database} template ${template} strategy file_copy`)
  await admin.end()
  const connected = connect({ ...postgres, database }, { DATABASE_POOL_SIZE: 10, STATEMENT_TIMEOUT_MS: 10_000 })
  // A test that holds a lock is idle until the others wait for it. If it lost the lock, it would wait for them forever.
  // And no call fails because the machine is busy with other tests.
  Object.assign(connected.pool.options, {
    idle_in_transaction_session_timeout: 120_000,
    connectionTimeoutMillis: 60_000,
  })
  return connected
}
