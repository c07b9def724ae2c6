import { originOf, type Places, placesOf, readStory } from '@watchdesk/contract/story-row'
import { TABLE_MESSAGES } from '@watchdesk/contract/table-error'
import { type CellValue, cellText } from '@watchdesk/contract/xlsx/cell'
import type { Sink } from '../../../ui/file-reader/sink.ts'
import type { CheckResult, Finding } from './messages.ts'

const EXAMPLES = 5
const EXAMPLE_LENGTH = 60

/** Checks the rows of a stories file as they are read, and keeps only what to report before the import. */
export function storiesChecker(): Sink & { result: () => CheckResult } {
  const narratives = new Set<number>()
  const refused = emptyFinding()
  const wrongIds = emptyFinding()
  const wrongSentiments = emptyFinding()
  let header: Places | string | undefined
  let rows = 0

  function add(given: readonly CellValue[], row: number) {
    const cells = given.map((cell) => cellText(cell).trim())
    if (cells.every((cell) => cell === '')) return
    if (header === undefined) {
      header = placesOf(cells)
      return
    }
    rows += 1
    if (typeof header === 'string') return
    const story = readStory(header, cells)
    if (typeof story === 'string') return addFinding(refused, row, story)
    const { narrative_id, message_composite_id, sentiment_score } = story
    narratives.add(narrative_id)
    const { platform, content_type } = originOf(message_composite_id)
    if (platform === null || content_type === null) addFinding(wrongIds, row, cut(message_composite_id))
    if (Math.abs(sentiment_score ?? 0) > 1) addFinding(wrongSentiments, row, cut(cells[header.sentiment_score]))
  }

  function result(): CheckResult {
    if (header === undefined) return { phase: 'invalid', message: TABLE_MESSAGES.empty }
    if (typeof header === 'string') return { phase: 'invalid', message: header }
    if (rows === 0) return { phase: 'invalid', message: TABLE_MESSAGES.no_rows }
    const narrative_ids = [...narratives].sort((a, b) => a - b)
    return { phase: 'ready', check: { rows, narrative_ids, refused, wrongIds, wrongSentiments } }
  }

  return { add, count: () => rows, result }
}

function emptyFinding(): Finding {
  return { count: 0, examples: [] }
}

function addFinding(finding: Finding, row: number, text: string) {
  finding.count += 1
  if (finding.examples.length < EXAMPLES) finding.examples.push({ row, text })
}

function cut(cell = '') {
  return cell.slice(0, EXAMPLE_LENGTH)
}
