import { openAirflow } from './adapters/airflow/airflow.ts'
import { createEmbedLinks } from './adapters/embed-links/embed-links.ts'
import { createEmbeddings } from './adapters/embeddings/embeddings.ts'
import { openOidc } from './adapters/oidc/oidc.ts'
import type { Env } from './env.ts'
import { createSecretKey } from './modules/auth/second-factor/secret-key.ts'
import { createPasswords, type HashOptions } from './modules/auth/session/passwords.ts'
import { readCatalog, withRunnableModels } from './modules/catalog/catalog.ts'
import { createSemaphores } from './semaphore.ts'

export type Prepared = Awaited<ReturnType<typeof prepareDeps>>

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
  await secretKey.load()
  return { env, catalog, embeddings, airflow, embedLinks, oidc, semaphores, passwords, secretKey }
}
