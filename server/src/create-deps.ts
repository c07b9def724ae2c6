import { createSheets } from './adapters/sheets/open.ts'
import type { Database } from './db/open.ts'
import { createReader, createSnapshotReader } from './db/read.ts'
import { createRights } from './db/rights.ts'
import type { ServerDeps } from './deps.ts'
import { createJobs } from './jobs/jobs.ts'
import { createMails } from './modules/auth/links/send-mails.ts'
import { createLockout } from './modules/auth/session/lockout.ts'
import { createVectorizing } from './modules/narratives-vectorization/vectorize.ts'
import { createVerify } from './modules/operations/verify.ts'
import { operationKinds } from './operation-kinds.ts'
import { createLog, type LogStream } from './plugins/log.ts'
import { uploadsDir } from './plugins/upload-files.ts'
import type { Prepared } from './prepare-deps.ts'
import { RECORD_KINDS } from './record-kinds.ts'

/** The composition root: creates everything the server needs. Closes the database if that fails. */
export async function createDeps(prepared: Prepared, database: Database, logStream?: LogStream) {
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
