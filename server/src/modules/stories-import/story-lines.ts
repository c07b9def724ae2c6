import { originOf, type Places, placesOf, readStory, type Story } from '@watchdesk/contract/story-row'
import { TABLE_MESSAGES, TableError } from '@watchdesk/contract/table-error'
import type { TableRow } from '../../adapters/tables/tables.ts'
import { copyText } from '../../db/copy-text.ts'
import { storyChecksum } from '../../row-checksums.ts'

const KEPT_ROWS = 1000
const KEPT_CHARACTERS = 500
/** Checked while the file is read, because storing its rows is most of the work. */
const MAX_NARRATIVES = 10_000

export type InvalidRow = { row: number; fault: string; cells: string[] }

/** The summary; or, if any row is invalid, only the first of those. */
export type StoriesEnd = { summary: { count: number; checksum: number } } | { faults: InvalidRow[]; more: number }

/** Lines for COPY with the number of rows so far, followed by the end. */
export type StoryLines = { lines: Uint8Array; rows: number } | StoriesEnd

/** Validates rows and formats them for COPY in the worker, so that the main thread only forwards bytes. */
export async function* storyLines(batches: AsyncIterable<TableRow[]>): AsyncGenerator<StoryLines> {
  let places: Places | undefined
  const faults: InvalidRow[] = []
  let faulty = 0
  let count = 0
  let checksum = 0
  const narratives = new Set<number>()
  for await (const batch of batches) {
    const lines: string[] = []
    for (const { row, cells } of batch) {
      if (!places) {
        const found = placesOf(cells)
        if (typeof found === 'string') throw new TableError(found)
        places = found
        continue
      }
      count += 1
      const story = readStory(places, cells)
      if (typeof story !== 'string') {
        lines.push(lineOf(row, story))
        checksum += storyChecksum(story)
        if (narratives.add(story.narrative_id).size > MAX_NARRATIVES) throw tooManyNarratives()
      } else {
        faulty += 1
        if (faults.length < KEPT_ROWS) faults.push({ row, fault: story, cells: shortened(places, cells) })
      }
    }
    if (faulty === 0 && lines.length > 0) yield { lines: Buffer.from(lines.join('')), rows: count }
  }
  if (!places) throw new TableError(TABLE_MESSAGES.empty)
  if (count === 0) throw new TableError(TABLE_MESSAGES.no_rows)
  yield faulty > 0 ? { faults, more: faulty - faults.length } : { summary: { count, checksum } }
}

function tooManyNarratives() {
  const most = MAX_NARRATIVES.toLocaleString('en')
  return new TableError(`The file contains more than ${most} narratives. Split it into smaller files.`)
}

function shortened(places: Places, cells: readonly string[]) {
  const order = [places.narrative_id, places.message_composite_id, places.story, places.sentiment_score]
  return order.map((place) => [...(cells[place] ?? '').slice(0, KEPT_CHARACTERS)].join(''))
}

function lineOf(row: number, { narrative_id, message_composite_id, story, sentiment_score }: Story) {
  const { platform, content_type } = originOf(message_composite_id)
  const id = copyText(message_composite_id)
  return `${row}\t${narrative_id}\t${id}\t${copyText(story)}\t${sentiment_score ?? '\\N'}\t${platform ?? '\\N'}\t${content_type ?? '\\N'}\n`
}
