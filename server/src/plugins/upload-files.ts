import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { makeFolder } from '../make-folder.ts'
import { isRunning } from '../processes.ts'

/** Longer than any call may take: what is older belongs to nobody, on whichever machine it was left. */
const LEFT_BEHIND_MS = 60 * 60 * 1000
const CLEAR_MS = 2000
const NAME = /^upload-(.+)-(\d+)-[\da-f-]{36}$/

/** Where uploads lie while they are worked on. */
export function uploadsDir(dataDir: string) {
  return join(dataDir, 'tmp')
}

/** Made by the first upload: a server on another database may have nothing else to keep there. */
export async function makeUploadsDir(dir: string) {
  await makeFolder(dirname(dir))
  await mkdir(dir, { recursive: true, mode: 0o700 })
}

/** At the start, and while it runs: a server that was just killed may take a moment to be gone. */
export async function keepUploadsClear(app: FastifyInstance, dir: string) {
  // A number that is ours now was another's when the file was left; later it is ours.
  await clearUploads(dir, (pid) => pid !== process.pid && isRunning(pid))
  const timer = setInterval(() => void clearUploads(dir, isRunning).catch(() => {}), CLEAR_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** Removes what killed servers left there. */
async function clearUploads(dir: string, isAtWork: (pid: number) => boolean) {
  for (const name of await readdir(dir).catch(() => [])) {
    if (await isLeftBehind(dir, name, isAtWork)) await removeUpload(join(dir, name))
  }
}

/** A name that says who is at work on it: replicas may share the place. */
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
