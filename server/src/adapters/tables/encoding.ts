import { type FileHandle, open } from 'node:fs/promises'
import { checkStart, checkText, utf16Of } from '@watchdesk/contract/utf16'
import { chunksOf } from '../../read-chunks.ts'

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
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of chunksOf(file)) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (Object(error).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return false
    throw error
  }
}
