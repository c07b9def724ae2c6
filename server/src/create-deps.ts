import { openAirflow } from './adapters/airflow/open.ts'
import { createEmbeddings } from './adapters/embeddings/embeddings.ts'
import { createSheets } from './adapters/sheets/open.ts'
import type { Database } from './db/open.ts'
import type { ServerDeps } from './deps.ts'
import type { Env } from './env.ts'
import { createVectorizing } from './jobs/vectorize.ts'
import { readCatalog } from './modules/catalog/catalog.ts'
import { createPasswords } from './modules/session/passwords.ts'
import { createSemaphores } from './semaphore.ts'

/**
 * The composition root: creates everything the server needs from its settings. Settings are validated before the
 * database is opened.
 */
export async function createDeps(env: Env, open: () => Promise<Database>, overrides: Partial<ServerDeps> = {}) {
  const catalog = await readCatalog(env.CATALOG_FILE)
  const embeddings = createEmbeddings(env)
  const airflow = openAirflow(env)
  const semaphores = createSemaphores(env)
  const passwords = createPasswords(env, semaphores)
  const database = await open()
  try {
    const { db, pool, diskSpace } = database
    const vectorizing = createVectorizing(db, embeddings)
    const sheets = await createSheets(db, env)
    const made = { env, db, pool, diskSpace, semaphores, passwords, catalog, sheets, embeddings, vectorizing, airflow }
    const deps: ServerDeps = { ...made, ...overrides }
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
