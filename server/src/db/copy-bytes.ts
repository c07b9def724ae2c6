import { addAbortSignal } from 'node:stream'
import type { Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** What a binary copy of one value begins with; its last four bytes are the length of the value. */
const HEADER = 25
/** Before the header, so that numbers of four bytes in the value are where an array of them can begin. */
const PADDING = 3
/** Longer than a statement may take: then the connection is dead, and nothing says so. */
const TIMEOUT_MS = 60_000

/**
 * The `bytea` that a query answers, or null. As a copy, because `pg` reads the values of a row as text. The memory is its
 * own, so it can go to a worker without being copied.
 */
export async function copyBytes(pool: Pool, query: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const client = await pool.connect()
  try {
    const chunks: Buffer[] = []
    const copied = client.query(copyTo(`copy (${query}) to stdout binary`))
    for await (const chunk of addAbortSignal(AbortSignal.timeout(TIMEOUT_MS), copied)) chunks.push(chunk)
    client.release()
    const copy = Buffer.from(new ArrayBuffer(chunks.reduce((sum, { length }) => sum + length, PADDING)))
    let at = PADDING
    for (const chunk of chunks) at += chunk.copy(copy, at)
    const start = PADDING + HEADER
    const length = copy.readInt32BE(start - 4)
    return length < 0 ? null : new Uint8Array(copy.buffer, start, length)
  } catch (error) {
    client.release(true)
    throw error
  }
}
