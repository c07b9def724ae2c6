import { randomUUID } from 'node:crypto'
import Fastify, { LogController } from 'fastify'
import { createFindCaller } from './db/callers.ts'
import type { ServerDeps, SignInDeps } from './deps.ts'
import { jobsRoutes } from './jobs/routes.ts'
import { accountRoutes } from './modules/account/routes.ts'
import { auditRoutes } from './modules/activity/routes.ts'
import { createFindSigningIn } from './modules/auth/session/pending.ts'
import { sessionStore } from './modules/auth/session/store.ts'
import { signInRoutes } from './modules/auth/sign-in/routes.ts'
import { ssoRoutes } from './modules/auth/sso/routes.ts'
import { userAccessRoutes } from './modules/auth/user-access/routes.ts'
import { binRoutes } from './modules/bin/routes.ts'
import { catalogRoutes } from './modules/catalog/routes.ts'
import { dashboardsRoutes } from './modules/dashboards/routes.ts'
import { healthRoutes } from './modules/health/routes.ts'
import { narrativesVectorizationRoutes } from './modules/narratives-vectorization/routes.ts'
import { operationsRoutes } from './modules/operations/routes.ts'
import { overviewRoutes } from './modules/overview/routes.ts'
import { savedViewsRoutes } from './modules/saved-views/routes.ts'
import { securityContactRoutes } from './modules/security-contact/routes.ts'
import { sheetsRoutes } from './modules/sheets/routes.ts'
import { sourceImportRoutes } from './modules/source-import/routes.ts'
import { sourceManagementRoutes } from './modules/source-management/routes.ts'
import { sourcesRoutes } from './modules/sources/routes.ts'
import { storiesImportRoutes } from './modules/stories-import/routes.ts'
import { usersRoutes } from './modules/users/routes.ts'
import { usersImportRoutes } from './modules/users-import/routes.ts'
import { websiteConfigRoutes } from './modules/website-config/routes.ts'
import { workspacesRoutes } from './modules/workspaces/routes.ts'
import { serveApiReference } from './plugins/api-reference.ts'
import { authenticate, requireDatabaseToSignIn } from './plugins/auth.ts'
import { acceptJson } from './plugins/body.ts'
import { serveConsole } from './plugins/console.ts'
import { addConsoleOrigin } from './plugins/console-address.ts'
import { type App, useContract, type ZodTypeProvider } from './plugins/contract.ts'
import { auditDenials } from './plugins/denials.ts'
import { refuseWritesOnFullDisk } from './plugins/disk-space.ts'
import { limitDownloads } from './plugins/downloads.ts'
import { drainOnClose } from './plugins/drain.ts'
import { handleErrors, handleMalformed, handleUnroutable } from './plugins/errors.ts'
import { admitImports } from './plugins/imports.ts'
import { logRequests } from './plugins/log.ts'
import { serveMetrics } from './plugins/metrics.ts'
import { serveOpenapi } from './plugins/openapi.ts'
import { shedLoad } from './plugins/pressure.ts'
import { limitRates } from './plugins/rate-limits.ts'
import { sendSecurityHeaders } from './plugins/security.ts'
import { dropSlowSenders, lookEveryMs } from './plugins/slow-senders.ts'
import { acceptUploads } from './plugins/upload.ts'

/** Longer than the longest timeout of a call: five minutes, for the stories import. */
const MAX_CALL_MS = 310_000

export async function buildApp(deps: ServerDeps): Promise<App> {
  const { env, db, pool, semaphores } = deps
  const app = create(deps)
  const signInDeps: SignInDeps = { ...deps, sessions: sessionStore(deps) }

  useContract(app)
  addConsoleOrigin(app)
  acceptJson(app)
  logRequests(app)
  drainOnClose(app)
  dropSlowSenders(app, env)
  sendSecurityHeaders(app, env)
  handleErrors(app)
  await shedLoad(app, env)
  authenticate(app, createFindCaller(pool, env), createFindSigningIn(db, env))
  requireDatabaseToSignIn(app, pool)
  await limitRates(app, env)
  auditDenials(app, db)
  refuseWritesOnFullDisk(app, deps.diskSpace)
  await acceptUploads(app, env)
  admitImports(app, semaphores)
  limitDownloads(app, semaphores)
  serveMetrics(app, deps)
  serveOpenapi(app)
  serveApiReference(app)

  healthRoutes(app, deps)
  securityContactRoutes(app, deps)
  signInRoutes(app, signInDeps)
  accountRoutes(app, signInDeps)
  userAccessRoutes(app, deps)
  ssoRoutes(app, signInDeps)
  usersRoutes(app, deps)
  usersImportRoutes(app, deps)
  workspacesRoutes(app, deps)
  dashboardsRoutes(app, deps)
  catalogRoutes(app, deps)
  websiteConfigRoutes(app, deps)
  narrativesVectorizationRoutes(app, deps, pool)
  sourceImportRoutes(app, deps)
  sourceManagementRoutes(app, deps)
  sourcesRoutes(app, deps)
  sheetsRoutes(app, deps)
  auditRoutes(app, deps)
  binRoutes(app, deps)
  operationsRoutes(app, deps)
  storiesImportRoutes(app, deps)
  jobsRoutes(app, deps)
  savedViewsRoutes(app, deps)
  overviewRoutes(app, deps)
  await serveConsole(app)
  return app
}

function create({ env, log }: ServerDeps): App {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: env.BODY_LIMIT_BYTES,
    trustProxy: env.TRUST_PROXY ?? false,
    routerOptions: { ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // Requests that arrive while the server stops are answered normally: see `plugins/drain.ts`.
    return503OnClosing: false,
    requestTimeout: MAX_CALL_MS,
    connectionTimeout: MAX_CALL_MS,
    // A missing Host header is answered in `plugins/errors.ts`, with a detail like every other error.
    http: {
      headersTimeout: env.SLOW_CLIENT_TIMEOUT_MS,
      connectionsCheckingInterval: lookEveryMs(env),
      requireHostHeader: false,
    },
    clientErrorHandler: handleMalformed,
    frameworkErrors: handleUnroutable,
  }).withTypeProvider<ZodTypeProvider>()
}
