import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Zombies do not count. */
export function isRunning(pid: number) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return !/^[ZX]/.test(kernelFields(pid)?.[0] ?? '')
}

/** In a format of the system. Together with the process id it is unique. */
export async function startOf(pid: number) {
  const began = kernelFields(pid)?.[19]
  if (began !== undefined) return began
  const asked = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => undefined)
  return asked?.stdout.trim() || undefined
}

const LEFT_BEHIND_MS = 60 * 60 * 1000

/** So old that nobody works with it, even if the process id in its name belongs to another process by now. */
export async function isLeftBehind(path: string) {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > LEFT_BEHIND_MS
}

/** Removes `PATH.new-PROCESS` left by killed processes: the name of a file or directory until it is complete. */
export async function removeLeftBehind(path: string) {
  const prefix = `${basename(path)}.new-`
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    if (!Number.isSafeInteger(pid)) continue
    const left = join(dirname(path), name)
    const isAtWork = pid !== process.pid && isRunning(pid) && !(await isLeftBehind(left))
    // Removed at the next start if it cannot be removed now.
    if (!isAtWork) await rm(left, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
  }
}

/** The fields from the state on; the process name before it may contain anything. Undefined without /proc. */
function kernelFields(pid: number) {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
