import { isUtf8 } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { checkStart, checkText, utf16Of } from '@watchdesk/contract/utf16'
import { CHUNK, chunksOf } from '../../read-chunks.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251'

/** Decodes a file, whatever its encoding, and removes the byte order mark. */
export async function* textOf(path: string): AsyncGenerator<string> {
  const file = await open(path)
  try {
    const decoder = new TextDecoder(await encodingOf(file))
    for await (const chunk of chunksOf(file)) {
      const text = decoder.decode(chunk, { stream: true })
      checkText(text)
      yield text
    }
    yield decoder.decode()
  } finally {
    await file.close()
  }
}

/** Detected by the byte order mark, the zero bytes of UTF-16, or valid UTF-8 throughout; otherwise Windows-1251. */
async function encodingOf(file: FileHandle): Promise<Encoding> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
  const start = buffer.subarray(0, bytesRead)
  checkStart(start)
  return utf16Of(start) ?? ((await isAllUtf8(file)) ? 'utf-8' : 'windows-1251')
}

async function isAllUtf8(file: FileHandle) {
  const buffer = Buffer.allocUnsafeSlow(CHUNK)
  // An incomplete character that ends in the next chunk.
  let kept = 0
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, kept, CHUNK - kept, position)
    const bytes = buffer.subarray(0, kept + bytesRead)
    const end = bytesRead === 0 ? bytes.length : lastBoundary(bytes)
    if (!isUtf8(bytes.subarray(0, end))) return false
    if (bytesRead === 0) return true
    position += bytesRead
    kept = bytes.copy(buffer, 0, end)
  }
}

/** Where the last character starts, if it may continue in the next chunk. */
function lastBoundary(bytes: Buffer) {
  for (let index = bytes.length - 1; index >= Math.max(0, bytes.length - 4); index -= 1) {
    const byte = bytes[index] ?? 0
    if (byte >= 0xc0) return index
    if (byte < 0x80) return bytes.length
  }
  return bytes.length
}
