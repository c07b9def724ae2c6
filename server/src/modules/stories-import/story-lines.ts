import { originOf } from '@watchdesk/contract/story-cells'
import { type Places, placesOf, readStory, STORIES_MESSAGES, type Story } from '@watchdesk/contract/story-row'
import { TableError } from '@watchdesk/contract/table-error'
import type { TableRow } from '../../adapters/tables/tables.ts'
import { copyText } from '../../db/copy-text.ts'

const LISTED = 10

/** Lines for COPY; or, if any row is invalid, only the errors at the end. */
export type StoryLines = { lines: Uint8Array } | { faults: { row: number; fault: string }[]; more: number }

/** Validates rows and formats them for COPY in the worker, so that the main thread only forwards bytes. */
export async function* storyLines(batches: AsyncIterable<TableRow[]>): AsyncGenerator<StoryLines> {
  let places: Places | undefined
  const faults: { row: number; fault: string }[] = []
  let faulty = 0
  let rows = 0
  for await (const batch of batches) {
    const lines: string[] = []
    for (const { row, cells } of batch) {
      if (!places) {
        const found = placesOf(cells)
        if (typeof found === 'string') throw new TableError(found)
        places = found
        continue
      }
      rows += 1
      const story = readStory(places, cells)
      if (typeof story !== 'string') lines.push(lineOf(story))
      else {
        faulty += 1
        if (faults.length < LISTED) faults.push({ row, fault: story })
      }
    }
    if (faulty === 0 && lines.length > 0) yield { lines: Buffer.from(lines.join('')) }
  }
  if (!places) throw new TableError(STORIES_MESSAGES.empty)
  if (rows === 0) throw new TableError(STORIES_MESSAGES.no_rows)
  if (faulty > 0) yield { faults, more: faulty - faults.length }
}

function lineOf({ narrative_id, message_composite_id, story, sentiment_score }: Story) {
  const { platform, content_type } = originOf(message_composite_id)
  const id = copyText(message_composite_id)
  return `${narrative_id}\t${id}\t${copyText(story)}\t${sentiment_score ?? '\\N'}\t${platform ?? '\\N'}\t${content_type ?? '\\N'}\n`
}
