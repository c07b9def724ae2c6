import { statfs } from 'node:fs/promises'

/**
 * Kept free for PostgreSQL's write-ahead log: without space for it, PostgreSQL shuts down and reads fail too. Enough for what
 * a fast disk can write between two checks, and for recovery after a crash.
 */
const RESERVE_BYTES = 128 * 1024 * 1024

export type DiskSpace = { isLow: boolean }

/** Checks the free disk space of the database. While it is low, `onLow` is called at each check. */
export async function checkDiskSpace(diskSpace: DiskSpace, dir: string, onLow: () => Promise<unknown>) {
  const { bavail, bsize } = await statfs(dir)
  diskSpace.isLow = bavail * bsize < RESERVE_BYTES
  if (diskSpace.isLow) await onLow()
}
