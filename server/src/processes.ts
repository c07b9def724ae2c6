import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
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

/** From the state on; the name before it may contain anything. Undefined where there is no /proc. */
function kernelFields(pid: number) {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
