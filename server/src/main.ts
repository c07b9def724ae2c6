import { setTimeout as wait } from 'node:timers/promises'
import { buildApp } from './app.ts'
import { addSampleData } from './commands/demo.ts'
import { createDeps } from './create-deps.ts'
import { bootstrap, isIgnored } from './db/bootstrap.ts'
import { requireRowRights } from './db/grants.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { preparePgvector } from './db/pgvector.ts'
import { type Env, readEnv, StartError } from './env.ts'
import { bindPort } from './listener.ts'
import { checkSecretKey } from './modules/auth/second-factor/check-secret-key.ts'
import { exitAfterLog, openLog } from './plugins/log.ts'
import { prepareDeps } from './prepare-deps.ts'
import { scheduledTasks } from './scheduled-tasks.ts'
import { startTasks } from './scheduler.ts'

const STOP_MS = 30_000
const IGNORED =
  'BOOTSTRAP_ADMIN_PASSWORD is not used, because the database already has users. To set a password: npm run reset-password -- EMAIL'

// Errors that the operator can fix are printed without a stack trace.
try {
  await start(readEnv(process.env))
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}

async function start(env: Env) {
  const prepared = await prepareDeps(env)
  const listener = await bindPort(env)
  const output = openLog()
  const { deps, close } = await createDeps(prepared, await openDatabase(env), output)
  const { log, db, pool, catalog, passwords, vectorizing, jobs, mails } = deps
  try {
    await migrate(pool)
    await requireRowRights(pool)
    await checkSecretKey(db, prepared.secretKey)
    const advice = await preparePgvector(pool)
    const first = await bootstrap({ db, env, hash: passwords.hash, websiteConfig: catalog })
    // Printed at once, so that a later failure cannot lose it.
    if (first) console.log(welcome(first, env))
    else if (await isIgnored(env, db, passwords)) console.log(IGNORED)
    if (process.argv.includes('--demo') && !(await addSampleData(db, catalog, passwords))) {
      console.log('The database already has data: no sample data was added')
    }
    const app = await buildApp(deps)
    await listener.handOver(app)
    // The embedded database has no extension to install.
    if (advice && env.DATABASE_URL) log.warn(advice)
    log.info(`Server listening at ${listener.url}`)
    const onError = (err: unknown) => log.error({ err })
    const stopTasks = startTasks(scheduledTasks(deps), (err, task) => log.error({ err, task }))
    vectorizing.start(onError)
    jobs.start(onError)
    mails.start()

    const exit = (code: number) => exitAfterLog(output, code)
    stopOnSignal(env.SHUTDOWN_DELAY_MS, exit, async () => {
      app.announceStop()
      // A load balancer checks every few seconds, and sends requests until it has seen that the server is not ready.
      if (env.SHUTDOWN_DELAY_MS > 0) await wait(env.SHUTDOWN_DELAY_MS)
      stopTasks()
      listener.close()
      await Promise.all([app.close(), vectorizing.stop(), jobs.stop(), mails.stop()])
      await close()
    })
    console.log(`Watchdesk is ready at ${env.PUBLIC_URL ?? listener.url}`)
  } catch (error) {
    await close()
    throw error
  }
}

function welcome({ email, password }: { email: string; password: string | undefined }, env: Env) {
  if (env.PASSWORD_LOGIN === 'off')
    return `Created the super admin ${email}. To sign in: npm run sign-in-link -- ${email}`
  const how = password ? `the password ${password} (shown only this once)` : 'the password of BOOTSTRAP_ADMIN_PASSWORD'
  return `Sign in as ${email} with ${how}`
}

function stopOnSignal(delayMs: number, exit: (code: number) => Promise<void>, stop: () => Promise<void>) {
  let stopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    // A second Ctrl-C stops at once.
    if (stopping && signal === 'SIGINT') return void exit(1)
    if (stopping) return
    stopping = true
    setTimeout(() => exit(1), delayMs + STOP_MS).unref()
    stop().then(
      () => exit(0),
      (error) => {
        console.error(error)
        return exit(1)
      },
    )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}
