import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { makeFolder } from '../make-folder.ts'
import { isRunning } from '../processes.ts'

/** Longer than any call may take: older files are orphaned, whichever machine they came from. */
const LEFT_BEHIND_MS = 60 * 60 * 1000
const CLEAR_MS = 2000
const NAME = /^upload-(.+)-(\d+)-[\da-f-]{36}$/

/** The directory of uploads while they are processed. */
export function uploadsDir(dataDir: string) {
  return join(dataDir, 'tmp')
}

/** Created by the first upload: a server with an external database may need no data directory otherwise. */
export async function makeUploadsDir(dir: string) {
  await makeFolder(dirname(dir))
  await mkdir(dir, { recursive: true, mode: 0o700 })
}

/** At startup and regularly afterwards: a server that was just killed may take a moment to exit. */
export async function keepUploadsClear(app: FastifyInstance, dir: string) {
  // At startup, a file with our process id was left by an earlier process; later, it is one of our own uploads.
  await clearUploads(dir, (pid) => pid !== process.pid && isRunning(pid))
  const timer = setInterval(() => void clearUploads(dir, isRunning).catch(() => {}), CLEAR_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** Removes files left by killed servers. */
async function clearUploads(dir: string, isAtWork: (pid: number) => boolean) {
  for (const name of await readdir(dir).catch(() => [])) {
    if (await isLeftBehind(dir, name, isAtWork)) await removeUpload(join(dir, name))
  }
}

/** The name contains the host and the process id of the owner, because replicas may share the directory. */
export function uploadPath(dir: string) {
  return join(dir, `upload-${encodeURIComponent(hostname())}-${process.pid}-${randomUUID()}`)
}

export async function removeUpload(path: string) {
  await rm(path, { force: true })
}

async function isLeftBehind(dir: string, name: string, isAtWork: (pid: number) => boolean) {
  const [, host, pid] = NAME.exec(name) ?? []
  if (host === undefined) return false
  if (host === encodeURIComponent(hostname()) && !isAtWork(Number(pid))) return true
  const written = await stat(join(dir, name)).catch(() => undefined)
  return written !== undefined && Date.now() - written.mtimeMs > LEFT_BEHIND_MS
}
