import { statfs } from 'node:fs/promises'

/**
 * Kept free for PostgreSQL's log: when there is no room for that, it gives up altogether, reads included. Enough for what a
 * fast disk takes between two looks, and for the start after a crash.
 */
const RESERVE_BYTES = 128 * 1024 * 1024
const LOOK_MS = 200

export type DiskSpace = { isLow: boolean }

/** Looks how much room is left where the database lies. While it is short, `onLow` is called at each look. */
export function watchDiskSpace(dir: string, onLow: () => Promise<unknown>) {
  const diskSpace: DiskSpace = { isLow: false }
  let isLooking = false
  const timer = setInterval(() => void look(), LOOK_MS).unref()
  return { diskSpace, stop: () => clearInterval(timer) }

  async function look() {
    if (isLooking) return
    isLooking = true
    try {
      const { bavail, bsize } = await statfs(dir)
      diskSpace.isLow = bavail * bsize < RESERVE_BYTES
      if (diskSpace.isLow) await onLow()
    } catch {
      // A database that is down is looked after elsewhere.
    } finally {
      isLooking = false
    }
  }
}
