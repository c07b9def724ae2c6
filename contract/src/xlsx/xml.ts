import { SaxesParser } from 'saxes'
import { TABLE_MESSAGES, TableError } from '../table-error.ts'
import { utf16Of } from '../utf16.ts'
import { damaged } from './archive.ts'
import { XLSX_LIMITS } from './limits.ts'

const PIECE = 2048

export type XmlHandlers = {
  /** Names have no namespace prefix. */
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
}

/** Yields after each short piece. Fails if there are too many elements for the number of values. */
export async function* readXml(
  bytes: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
  values: () => number,
): AsyncGenerator<void> {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false })
  const decode = createDecoder()
  let depth = 0
  let elements = 0
  let quiet = 0
  let isEmpty = true
  parser.on('doctype', () => {
    throw damaged('it contains XML that is not allowed')
  })
  parser.on('error', () => {
    throw damaged()
  })
  parser.on('opentag', (tag) => {
    quiet = 0
    depth += 1
    elements += 1
    const allowed = XLSX_LIMITS.idleElements + XLSX_LIMITS.elementsPerValue * values()
    if (elements > allowed) throw new TableError(TABLE_MESSAGES.too_many_cells)
    if (depth > XLSX_LIMITS.xmlDepth) throw damaged('its elements are nested too deeply')
    handlers.open?.(bare(tag.name), tag.attributes)
  })
  parser.on('closetag', (tag) => {
    quiet = 0
    depth -= 1
    handlers.close?.(bare(tag.name))
  })
  if (handlers.text) {
    parser.on('text', handlers.text)
    parser.on('cdata', handlers.text)
  }
  for await (const chunk of bytes) {
    isEmpty = false
    const text = decode(chunk)
    // A short piece can reference long shared strings, so the caller can consume them before the next piece is parsed.
    for (let start = 0; start < text.length; start += PIECE) {
      quiet += PIECE
      // The parser buffers a token until it is complete.
      if (quiet > XLSX_LIMITS.xmlPiece) throw new TableError('A part of the workbook is too large. Save it as CSV.')
      parser.write(text.slice(start, start + PIECE))
      yield
    }
  }
  // A missing file yields nothing; an existing file must be complete.
  if (isEmpty) return
  parser.write(decode()).close()
  yield
}

export async function readSmallXml(bytes: AsyncIterable<Uint8Array>, handlers: XmlHandlers, values = () => 0) {
  for await (const _ of readXml(bytes, handlers, values));
}

/** The files of a workbook may be UTF-8 or UTF-16. */
function createDecoder() {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  return (bytes?: Uint8Array) => {
    try {
      decoder ??= new TextDecoder(bytes && utf16Of(bytes), { fatal: true })
      return decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw damaged()
    }
  }
}

function bare(name: string) {
  return name.slice(name.indexOf(':') + 1)
}
