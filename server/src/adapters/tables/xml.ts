import { TableError } from '@watchdesk/contract/table-error'
import { SaxesParser } from 'saxes'
import { LIMITS, tooManyCells } from './tables.ts'
import { refuse } from './zip.ts'

const PIECE = 2048

export type XmlHandlers = {
  /** Names have no namespace prefix. */
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
}

/**
 * Parses XML in chunks and yields what `after` returns after each chunk. `values` returns the number of values found so
 * far: parsing fails if there are too many elements without a value.
 */
export async function* readXml<Item>(
  bytes: AsyncIterable<Buffer>,
  handlers: XmlHandlers,
  after: () => Iterable<Item>,
  values: () => number,
): AsyncGenerator<Item> {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let depth = 0
  let elements = 0
  let allowed: number = LIMITS.idleElements
  let quiet = 0
  let isEmpty = true
  parser.on('doctype', () => {
    throw new TableError('The workbook declares a document type, which spreadsheet programs never do.')
  })
  parser.on('error', (error) => refuse(error))
  parser.on('opentag', (tag) => {
    quiet = 0
    depth += 1
    elements += 1
    if (elements > allowed) allow()
    if (depth > LIMITS.xmlDepth) throw new TableError('The workbook is nested too deeply.')
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
  function allow() {
    allowed = LIMITS.idleElements + LIMITS.elementsPerValue * values()
    if (elements > allowed) throw tooManyCells()
  }
  try {
    for await (const chunk of bytes) {
      isEmpty = false
      quiet += chunk.length
      // The parser buffers a token until it is complete.
      if (quiet > LIMITS.xmlPiece) throw new TableError('The workbook contains a part that is too large.')
      const text = decoder.decode(chunk, { stream: true })
      // A short piece can reference long shared strings, so its results are yielded before the next piece is parsed.
      for (let start = 0; start < text.length; start += PIECE) {
        parser.write(text.slice(start, start + PIECE))
        yield* after()
      }
    }
    // A missing file yields nothing; an existing file must be complete.
    if (!isEmpty) parser.write(decoder.decode()).close()
    yield* after()
  } catch (error) {
    refuse(error)
  }
}

/** Parses a small file completely. */
export async function readSmallXml(bytes: AsyncIterable<Buffer>, handlers: XmlHandlers, values = () => 0) {
  for await (const _ of readXml(bytes, handlers, () => [], values));
}

function bare(name: string) {
  return name.slice(name.indexOf(':') + 1)
}
