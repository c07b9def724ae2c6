import { addAbortSignal } from 'node:stream'
import type { Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** The header of a binary COPY of one value; its last four bytes are the length of the value. */
const HEADER = 25
/** Padding before the header, which aligns the value for typed arrays. */
const PADDING = 3
/** Longer than the statement timeout: then the connection is dead without an error. */
const TIMEOUT_MS = 60_000

/**
 * Returns the `bytea` of a query, or null. Uses COPY, because `pg` reads row values as text. The buffer is not shared,
 * so it can be transferred to a worker.
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
