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
/** The host and the process id of the owner, because replicas may share the directory. */
const NAME = /^upload-(.+)-(\d+)-[\da-f-]{36}$/
const HOST = encodeURIComponent(hostname())

/** The directory of uploads while they are processed. */
export function uploadsDir(dataDir: string) {
  return join(dataDir, 'tmp')
}

/** Passes the path of a new temporary file to the work, and removes the file afterwards. */
export async function withUploadFile<Result>(dir: string, work: (path: string) => Promise<Result>): Promise<Result> {
  // Created by the first upload: a server with an external database may need no data directory otherwise.
  await makeFolder(dirname(dir))
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, `upload-${HOST}-${process.pid}-${randomUUID()}`)
  try {
    return await work(path)
  } finally {
    // A file that cannot be removed must not change the response: it is cleared later.
    await rm(path, { force: true }).catch(() => {})
  }
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
    if (await isLeftBehind(dir, name, isAtWork)) await rm(join(dir, name), { force: true })
  }
}

async function isLeftBehind(dir: string, name: string, isAtWork: (pid: number) => boolean) {
  const [, host, pid] = NAME.exec(name) ?? []
  if (host === undefined) return false
  if (host === HOST && !isAtWork(Number(pid))) return true
  const written = await stat(join(dir, name)).catch(() => undefined)
  return written !== undefined && Date.now() - written.mtimeMs > LEFT_BEHIND_MS
}
