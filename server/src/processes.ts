import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Whether a process runs. A dead one that its parent has not collected yet does not. */
export function isRunning(pid: number) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return !/^[ZX]/.test(kernelFields(pid)?.[0] ?? '')
}

/** When a process began, in whatever form the system has: with its number it identifies the process for good. */
export async function startOf(pid: number) {
  const began = kernelFields(pid)?.[19]
  if (began !== undefined) return began
  const asked = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => undefined)
  return asked?.stdout.trim() || undefined
}

/** Older than this, a temporary folder is nobody's, even where its process number belongs to another process by now. */
const LEFT_BEHIND_MS = 60 * 60 * 1000

/** Removes what killed processes left of `PATH.new-PROCESS`, the name of a thing until it is complete. */
export async function removeLeftBehind(path: string) {
  const prefix = `${basename(path)}.new-`
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    if (!Number.isSafeInteger(pid)) continue
    const left = join(dirname(path), name)
    const changed = (await stat(left).catch(() => undefined))?.mtimeMs ?? 0
    const isAtWork = pid !== process.pid && isRunning(pid) && Date.now() - changed < LEFT_BEHIND_MS
    // What cannot be removed now goes at the next start.
    if (!isAtWork) await rm(left, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
  }
}

/** From the state on; the name before it may contain anything. Undefined where there is no /proc. */
function kernelFields(pid: number) {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
