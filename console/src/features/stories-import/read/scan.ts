import { STORY_LENGTH } from '@watchdesk/contract/limits'
import { STORIES_COLUMNS } from '@watchdesk/contract/stories-import'
import { narrativeIdOf, originOf, sentimentOf } from '@watchdesk/contract/story-cells'
import type { Cell, Sink } from '../../../ui/read-file/sink.ts'
import type { Finding, Scan } from './messages.ts'

const EXAMPLES = 5
const EXAMPLE_LENGTH = 60

type Column = (typeof STORIES_COLUMNS)[number]
type Places = Record<Column, number>

/** Looks at the rows of a stories file as they come, and keeps only what is worth telling before the import. */
export function storyScan(): Sink & { result: () => Scan | undefined } {
  const narratives = new Set<number>()
  const wrongIds: Finding = { count: 0, examples: [] }
  const wrongSentiments: Finding = { count: 0, examples: [] }
  let places: Places | undefined
  let rows = 0

  function add(cells: readonly Cell[], row: number) {
    if (cells.every((cell) => textOf(cell) === '')) return
    if (places === undefined) {
      const names = cells.map((cell) => textOf(cell).toLowerCase())
      places = Object.fromEntries(STORIES_COLUMNS.map((column) => [column, names.indexOf(column)])) as Places
      return
    }
    rows += 1
    const at = (column: Column) => textOf(cells[places?.[column] ?? -1])
    const narrative = narrativeIdOf(at('narrative_id'))
    if (narrative !== undefined) narratives.add(narrative)
    const id = at('message_composite_id')
    if (!hasOrigin(id)) note(wrongIds, row, id)
    const sentiment = at('sentiment_score')
    const score = sentimentOf(sentiment)
    if (score === undefined || (score !== null && Math.abs(score) > 1)) note(wrongSentiments, row, sentiment)
  }

  function result() {
    // A file without these columns is no stories file; what it lacks is for the import to say.
    if (places === undefined || Object.values(places).includes(-1)) return
    return { rows, narrative_ids: [...narratives].sort((a, b) => a - b), wrongIds, wrongSentiments }
  }

  return { add, count: () => rows, result }
}

function hasOrigin(id: string) {
  if (id.length > STORY_LENGTH.message_composite_id) return false
  const { platform, content_type } = originOf(id)
  return platform !== null && content_type !== null
}

function note(finding: Finding, row: number, text: string) {
  finding.count += 1
  if (finding.examples.length < EXAMPLES) finding.examples.push({ row, text: text.slice(0, EXAMPLE_LENGTH) })
}

function textOf(cell: Cell) {
  return cell === null || cell === undefined ? '' : String(cell).trim()
}
