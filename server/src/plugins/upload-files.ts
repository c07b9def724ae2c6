import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { isLeftBehind, isRunning } from '../processes.ts'

/** The host and the process id of the owner, because replicas may share the directory. */
const NAME = /^upload-(.+)-(\d+)-[\da-f-]{36}$/
const HOST = encodeURIComponent(hostname())

export function uploadsDir(dataDir: string) {
  return join(dataDir, 'tmp')
}

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

/** At startup, a file with our process id was left by an earlier process; afterwards, it is one of our own uploads. */
export async function clearUploads(dir: string, when: 'at startup' | 'afterwards') {
  for (const name of await readdir(dir).catch(() => [])) {
    const [, host, pid] = NAME.exec(name) ?? []
    if (host === undefined) continue
    const isEarlier = when === 'at startup' && Number(pid) === process.pid
    const hasEnded = host === HOST && (isEarlier || !isRunning(Number(pid)))
    if (hasEnded || (await isLeftBehind(join(dir, name)))) await rm(join(dir, name), { force: true })
  }
}
