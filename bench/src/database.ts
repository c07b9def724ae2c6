import { fileURLToPath } from 'node:url'
import { startEmbedded } from '@watchdesk/server/db/embedded'
import { IS_SHORT } from './settings.ts'

/** A database in a folder of `bench/`, which is kept for the next run unless that is a short one. */
export function openDatabase(folder: string) {
  return startDatabase(fileURLToPath(new URL(`../${IS_SHORT ? 'data-short/' : ''}${folder}`, import.meta.url)))
}

export async function startDatabase(folder: string) {
  const { connection, stop } = await startEmbedded(folder, { settings: { shared_buffers: '512MB' } })
  const { host, user, database } = connection
  const databaseUrl = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
  return { connection, databaseUrl, stop }
}
