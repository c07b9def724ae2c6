import { openAirflow } from './adapters/airflow/airflow.ts'
import { createEmbedLinks } from './adapters/embed-links/embed-links.ts'
import { createEmbeddings } from './adapters/embeddings/embeddings.ts'
import { openOidc } from './adapters/oidc/oidc.ts'
import { createSheets } from './adapters/sheets/open.ts'
import type { Database } from './db/open.ts'
import { createRights } from './db/rights.ts'
import type { ServerDeps } from './deps.ts'
import type { Env } from './env.ts'
import { createJobs } from './jobs/jobs.ts'
import { createMails } from './modules/auth/links/send-mails.ts'
import { createSecretKey } from './modules/auth/second-factor/secret-key.ts'
import { createPasswords, type HashOptions } from './modules/auth/session/passwords.ts'
import { readCatalog } from './modules/catalog/catalog.ts'
import { createVectorizing } from './modules/narratives-vectorization/vectorize.ts'
import { bulkChangeJob } from './modules/operations/changes/change.ts'
import { BULK_KINDS } from './modules/operations/changes/kinds.ts'
import { undoJob } from './modules/operations/undo/undo.ts'
import { createVerify } from './modules/operations/verify.ts'
import { sourceImportJob } from './modules/source-import/job.ts'
import { sourcesChangeJob } from './modules/sources/change-many.ts'
import { storiesImportJob } from './modules/stories-import/job.ts'
import { uploadsDir } from './plugins/upload-files.ts'
import { createSemaphores } from './semaphore.ts'

/** What needs no database. Throws for bad settings. */
export async function prepareDeps(env: Env, hashOptions?: HashOptions) {
  const catalog = await readCatalog(env.CATALOG_FILE)
  const embeddings = createEmbeddings(env)
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
  overrides: Partial<ServerDeps> = {},
) {
  const { env, embeddings, semaphores } = prepared
  try {
    const { db, pool, diskSpace } = database
    const vectorizing = createVectorizing(db, embeddings)
    const mails = createMails(db, env)
    const sheets = await createSheets(db, env)
    const rights = createRights(db, pool)
    const verify = createVerify(db, (error) => {
      // Reported by the runner of the job.
      throw error
    })
    const jobs = createJobs({
      db,
      rights,
      kinds: [
        sourceImportJob({ rights, sheets, verify }),
        storiesImportJob({ db, rights, verify }),
        sourcesChangeJob,
        ...Object.values(BULK_KINDS).map((kind) => bulkChangeJob(kind, env)),
        undoJob(env),
      ],
      semaphore: semaphores.imports,
      dir: uploadsDir(env.DATA_DIR),
    })
    const deps: ServerDeps = { ...prepared, db, pool, diskSpace, vectorizing, jobs, mails, sheets, ...overrides }
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
