import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

const CHUNK = 262_144

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251'

/** The text of a file without a mark, whatever it was written in. */
export async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(await encodingOf(path))
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) {
    yield decoder.decode(chunk as Buffer, { stream: true })
  }
  yield decoder.decode()
}

/** By its mark, by the zero bytes of UTF-16, as UTF-8 when the whole of it is; what is left is Cyrillic Windows. */
async function encodingOf(path: string): Promise<Encoding> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    const start = buffer.subarray(0, bytesRead)
    return utf16Of(start) ?? ((await isAllUtf8(path)) ? 'utf-8' : 'windows-1251')
  } finally {
    await file.close()
  }
}

function utf16Of(start: Buffer): Encoding | undefined {
  const mark = start.toString('hex', 0, 2)
  if (mark === 'fffe') return 'utf-16le'
  if (mark === 'feff') return 'utf-16be'
  // The letters of a header are ASCII: in UTF-16 every other byte of its line is zero.
  const lineEnd = start.findIndex((byte) => byte === 10 || byte === 13)
  const header = start.subarray(0, lineEnd === -1 ? 64 : Math.min(lineEnd, 64))
  const zeros = [0, 0]
  for (const [index, byte] of header.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = header.length / 4
  if (odd > many && odd > even * 3) return 'utf-16le'
  if (even > many && even > odd * 3) return 'utf-16be'
  return undefined
}

async function isAllUtf8(path: string) {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk])
    const end = lastBoundary(bytes)
    if (!isUtf8(bytes.subarray(0, end))) return false
    rest = bytes.subarray(end)
  }
  return isUtf8(rest)
}

/** Where the last character begins, if it may go on in the next chunk. */
function lastBoundary(bytes: Buffer) {
  for (let index = bytes.length - 1; index >= Math.max(0, bytes.length - 4); index -= 1) {
    const byte = bytes[index] ?? 0
    if (byte >= 0xc0) return index
    if (byte < 0x80) return bytes.length
  }
  return bytes.length
}
