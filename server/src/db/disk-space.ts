import { statfs } from 'node:fs/promises'

export const CHECK_MS = 200
/**
 * For PostgreSQL's write-ahead log between two checks, and for recovery after a crash: without space for it, PostgreSQL
 * stops, and reads fail too.
 */
const RESERVE_BYTES = 128 * 1024 * 1024

export type DiskSpace = { isLow: boolean }

export async function checkDiskSpace(diskSpace: DiskSpace, dir: string, onLow: () => Promise<unknown>) {
  const { bavail, bsize } = await statfs(dir)
  diskSpace.isLow = bavail * bsize < RESERVE_BYTES
  if (diskSpace.isLow) await onLow()
}
