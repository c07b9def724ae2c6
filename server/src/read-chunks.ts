import type { FileHandle } from 'node:fs/promises'

export const CHUNK = 65_536

/**
 * The bytes of a file from its beginning, in one buffer that is filled again and again: each chunk is to be used before the
 * next is asked for. The buffers of a stream lie outside the heap, where tens of megabytes gather before they are collected.
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
