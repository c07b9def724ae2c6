import { checkStart, checkText, utf16Of } from '@watchdesk/contract/utf16'

export const SLICE_BYTES = 1024 ** 2
const SAMPLE_BYTES = 4096

/** The bytes are not valid UTF-8. */
export class NotUtf8 extends Error {}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251'

/** Invalid UTF-8 may only show later. */
export async function encodingOf(file: Blob): Promise<Encoding> {
  const start = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer())
  checkStart(start)
  return utf16Of(start) ?? 'utf-8'
}

/**
 * The text in chunks, with every line break as `\n`. The decoder handles characters across slice boundaries. Invalid
 * UTF-8 may only show in the last slice, and then everything before it was decoded wrongly too.
 */
export async function* textOf(
  file: Blob,
  encoding: Encoding,
  sliceBytes: number,
): AsyncGenerator<{ text: string; read: number }> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' })
  let carriageReturn = ''
  for (let start = 0; start < file.size; start += sliceBytes) {
    const isLast = start + sliceBytes >= file.size
    const bytes = await file.slice(start, start + sliceBytes).arrayBuffer()
    const text = carriageReturn + decode(decoder, bytes, !isLast)
    checkText(text)
    // The next slice may start with its line feed.
    carriageReturn = !isLast && text.endsWith('\r') ? '\r' : ''
    yield {
      text: withLineFeeds(carriageReturn ? text.slice(0, -1) : text),
      read: Math.min(start + sliceBytes, file.size),
    }
  }
}

function decode(decoder: TextDecoder, bytes: ArrayBuffer, stream: boolean) {
  try {
    return decoder.decode(bytes, { stream })
  } catch {
    throw new NotUtf8()
  }
}

function withLineFeeds(text: string) {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text
}
