import type { FileHandle } from 'node:fs/promises'

const CHUNK = 65_536

/**
 * Reads a file in chunks into one reused buffer: use each chunk before requesting the next. The buffers of a stream are
 * outside the heap, where tens of megabytes accumulate before they are collected.
 */
export async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK)
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
