import { statfs } from 'node:fs/promises'

/**
 * Kept free for PostgreSQL's log: when there is no room for that, it gives up altogether, reads included. Enough for what a
 * fast disk takes between two looks, and for the start after a crash.
 */
const RESERVE_BYTES = 128 * 1024 * 1024
const LOOK_MS = 200

export type Room = { isShort: boolean }

/** Looks how much room is left where the database lies. While it is short, `onShort` is called at each look. */
export function watchRoom(dir: string, onShort: () => Promise<unknown>) {
  const room: Room = { isShort: false }
  let isLooking = false
  const timer = setInterval(() => void look(), LOOK_MS).unref()
  return { room, stop: () => clearInterval(timer) }

  async function look() {
    if (isLooking) return
    isLooking = true
    try {
      const { bavail, bsize } = await statfs(dir)
      room.isShort = bavail * bsize < RESERVE_BYTES
      if (room.isShort) await onShort()
    } catch {
      // A database that is down is looked after elsewhere.
    } finally {
      isLooking = false
    }
  }
}
