import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'

/** Longer than any call may take: what is older belongs to nobody, on whichever machine it was left. */
const LEFT_BEHIND_MS = 60 * 60 * 1000
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

/** Removes what killed servers left there. */
export async function clearUploads(dir: string) {
  for (const name of await readdir(dir).catch(() => [])) {
    if (await isLeftBehind(dir, name)) await removeUpload(join(dir, name))
  }
}

/** A name that says who is at work on it: replicas may share the place. */
export function uploadPath(dir: string) {
  return join(dir, `upload-${encodeURIComponent(hostname())}-${process.pid}-${randomUUID()}`)
}

export async function removeUpload(path: string) {
  await rm(path, { force: true })
}

async function isLeftBehind(dir: string, name: string) {
  const [, host, pid] = NAME.exec(name) ?? []
  if (host === undefined) return false
  if (host === encodeURIComponent(hostname()) && !isRunning(Number(pid))) return true
  const written = await stat(join(dir, name)).catch(() => undefined)
  return written !== undefined && Date.now() - written.mtimeMs > LEFT_BEHIND_MS
}

/** Another process that is. A number that is ours now was another's when the file was left. */
function isRunning(pid: number) {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return Reflect.get(Object(error), 'code') === 'EPERM'
  }
}
