import { TableError } from '@watchdesk/contract/table-error'
import { SaxesParser } from 'saxes'
import { LIMITS, tooManyCells } from './tables.ts'
import { refuse } from './zip.ts'

const PIECE = 2048

export type XmlHandlers = {
  /** Names come without their prefix. */
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
}

/**
 * Reads XML piece by piece; after each piece that came, `after` may hand something on. `values` tells how many have been
 * found so far: what goes on for long without any is not read to its end.
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
      // What has not ended yet is kept whole by the parser.
      if (quiet > LIMITS.xmlPiece) throw new TableError('The workbook contains a part that is too large.')
      const text = decoder.decode(chunk, { stream: true })
      // A short piece can stand for long texts elsewhere: what it made is handed on before the next.
      for (let start = 0; start < text.length; start += PIECE) {
        parser.write(text.slice(start, start + PIECE))
        yield* after()
      }
    }
    // A file that is not there says nothing; one that is there must be whole.
    if (!isEmpty) parser.write(decoder.decode()).close()
    yield* after()
  } catch (error) {
    refuse(error)
  }
}

/** The same for small files, read to their end. */
export async function readSmallXml(bytes: AsyncIterable<Buffer>, handlers: XmlHandlers, values = () => 0) {
  for await (const _ of readXml(bytes, handlers, () => [], values));
}

function bare(name: string) {
  return name.slice(name.indexOf(':') + 1)
}
