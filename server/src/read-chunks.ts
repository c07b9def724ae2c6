import type { FileHandle } from 'node:fs/promises'
import { TextDecoder } from 'node:util'

const CHUNK = 65_536

/**
 * Reads a file in chunks into one reused buffer: use each chunk before requesting the next. The buffers of a stream are
 * outside the heap, where tens of megabytes accumulate before they are collected.
 */
async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK)
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

export async function* decoded(file: FileHandle, decoder: TextDecoder): AsyncGenerator<string> {
  for await (const chunk of chunksOf(file)) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** Throws an error for which `isNotUtf8` is true if the file is not valid UTF-8. */
export function decodedUtf8(file: FileHandle) {
  return decoded(file, new TextDecoder('utf-8', { fatal: true }))
}

export function isNotUtf8(error: unknown) {
  return Object(error).code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
}
