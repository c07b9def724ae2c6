import { openAirflow } from './adapters/airflow/airflow.ts'
import { createEmbedLinks } from './adapters/embed-links/embed-links.ts'
import { createEmbeddings } from './adapters/embeddings/embeddings.ts'
import { openOidc } from './adapters/oidc/oidc.ts'
import { createSheets } from './adapters/sheets/open.ts'
import type { Database } from './db/open.ts'
import { createReader, createSnapshotReader } from './db/read.ts'
import { createRights } from './db/rights.ts'
import type { ServerDeps } from './deps.ts'
import type { Env } from './env.ts'
import { createJobs } from './jobs/jobs.ts'
import { createMails } from './modules/auth/links/send-mails.ts'
import { createSecretKey } from './modules/auth/second-factor/secret-key.ts'
import { createLockout } from './modules/auth/session/lockout.ts'
import { createPasswords, type HashOptions } from './modules/auth/session/passwords.ts'
import { readCatalog, withRunnableModels } from './modules/catalog/catalog.ts'
import { createVectorizing } from './modules/narratives-vectorization/vectorize.ts'
import { createVerify } from './modules/operations/verify.ts'
import { operationKinds } from './operation-kinds.ts'
import { createLog, type LogStream } from './plugins/log.ts'
import { uploadsDir } from './plugins/upload-files.ts'
import { RECORD_KINDS } from './record-kinds.ts'
import { createSemaphores } from './semaphore.ts'

/** What needs no database. Throws for bad settings. */
export async function prepareDeps(env: Env, hashOptions?: HashOptions) {
  const embeddings = createEmbeddings(env)
  const catalog = withRunnableModels(await readCatalog(env.CATALOG_FILE), embeddings.models)
  const airflow = openAirflow(env)
  const embedLinks = createEmbedLinks(env)
  const oidc = openOidc(env)
  const semaphores = createSemaphores(env)
  const passwords = createPasswords(env, semaphores, hashOptions)
  const secretKey = createSecretKey(env)
  await secretKey.check()
  return { env, catalog, embeddings, airflow, embedLinks, oidc, semaphores, passwords, secretKey }
}

/** The composition root: creates everything the server needs. Closes the database if that fails. */
export async function createDeps(
  prepared: Awaited<ReturnType<typeof prepareDeps>>,
  database: Database,
  logStream?: LogStream,
) {
  const { env, embeddings, semaphores } = prepared
  try {
    const { db, pool, diskSpace } = database
    const log = createLog(env, logStream)
    const sheets = await createSheets(db, env)
    const rights = createRights(db, pool)
    const kinds = operationKinds(prepared.catalog)
    const verify = createVerify(db, kinds, (err) => log.error({ err }))
    const jobs = createJobs({
      db,
      rights,
      kinds: Object.values(kinds).flatMap(({ job }) => job?.({ env, db, rights, sheets, verify, kinds }) ?? []),
      semaphore: semaphores.imports,
      dir: uploadsDir(env.DATA_DIR),
    })
    const deps: ServerDeps = {
      ...prepared,
      log,
      db,
      pool,
      diskSpace,
      read: createReader(db, pool),
      inSnapshot: createSnapshotReader(db),
      rights,
      verify,
      lockout: createLockout(db),
      vectorizing: createVectorizing(db, embeddings),
      kinds,
      records: RECORD_KINDS,
      jobs,
      mails: createMails(db, env, log),
      sheets,
    }
    return { deps, close }
  } catch (error) {
    await database.close()
    throw error
  }

  async function close() {
    await embeddings.close()
    await database.close()
  }
}
