import { statfs } from 'node:fs/promises'

/**
 * Kept free for PostgreSQL's write-ahead log: without space for it, PostgreSQL shuts down and reads fail too. Enough for what
 * a fast disk can write between two checks, and for recovery after a crash.
 */
const RESERVE_BYTES = 128 * 1024 * 1024
const CHECK_MS = 200

export type DiskSpace = { isLow: boolean }

/** Checks the free disk space of the database. While it is low, `onLow` is called at each check. */
export function watchDiskSpace(dir: string, onLow: () => Promise<unknown>) {
  const diskSpace: DiskSpace = { isLow: false }
  let isChecking = false
  const timer = setInterval(() => void check(), CHECK_MS).unref()
  return { diskSpace, stop: () => clearInterval(timer) }

  async function check() {
    if (isChecking) return
    isChecking = true
    try {
      const { bavail, bsize } = await statfs(dir)
      diskSpace.isLow = bavail * bsize < RESERVE_BYTES
      if (diskSpace.isLow) await onLow()
    } catch {
      // A database that is down is handled elsewhere.
    } finally {
      isChecking = false
    }
  }
}
