import { MAX_ID } from '@watchdesk/contract/limits'
import { STORIES_COLUMNS } from '@watchdesk/contract/stories-import'
import { TableError } from '../../adapters/tables/tables.ts'

type Column = (typeof STORIES_COLUMNS)[number]
type Places = Record<Column, number>

const MAX_LENGTH = { message_composite_id: 1_000, story: 100_000 } as const

/** Where each column stands; their order and letter case are free, and others may stand between them. */
export function placesOf(header: string[]): Places {
  const names = header.map((name) => name.trim().toLowerCase())
  const missing = STORIES_COLUMNS.filter((column) => !names.includes(column))
  if (missing.length > 0) {
    const which = missing.length === 1 ? `the column ${missing[0]}` : `the columns ${missing.join(', ')}`
    throw new TableError(`The file lacks ${which}. Its first row must name ${STORIES_COLUMNS.join(', ')}.`)
  }
  const repeated = STORIES_COLUMNS.find((column) => names.indexOf(column) !== names.lastIndexOf(column))
  if (repeated) throw new TableError(`The file has more than one column ${repeated}.`)
  return Object.fromEntries(STORIES_COLUMNS.map((column) => [column, names.indexOf(column)])) as Places
}

export type Story = {
  narrative_id: string
  message_composite_id: string
  story: string
  sentiment_score: string | null
}

/** The story in a row, or what is wrong with it. */
export function readStory(places: Places, cells: string[]): Story | string {
  const cell = (column: Column) => cells[places[column]]?.trim() ?? ''
  const narrative_id = wholeNumber(cell('narrative_id'))
  const message_composite_id = cell('message_composite_id')
  const story = cell('story')
  const sentiment_score = score(cell('sentiment_score'))
  if (
    narrative_id === undefined ||
    sentiment_score === undefined ||
    isWrong('message_composite_id', message_composite_id) ||
    isWrong('story', story)
  ) {
    return faults({ narrative_id, sentiment_score }, { message_composite_id, story })
  }
  return { narrative_id, message_composite_id, story, sentiment_score }
}

/** Longer than any number that is meant; `Number` and the patterns below would take their time over a whole book. */
const MAX_NUMBER_LENGTH = 400

function wholeNumber(text: string) {
  if (text.length > MAX_NUMBER_LENGTH) return undefined
  // Programs that know only fractions write 17 as 17.0.
  const digits = /^0*(\d{1,10})(\.0*)?$/.exec(text)?.[1]
  const number = Number(digits ?? 0)
  return number >= 1 && number <= MAX_ID ? String(number) : undefined
}

/** Where commas separate decimals, spreadsheets write 0,5. */
function score(text: string) {
  if (text === '') return null
  if (text.length > MAX_NUMBER_LENGTH) return undefined
  const number = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,3})?$/i.test(text)
    ? Number(text.replace(',', '.'))
    : Infinity
  return Number.isFinite(number) ? String(number) : undefined
}

type Text = keyof typeof MAX_LENGTH

function isWrong(column: Text, text: string) {
  return text === '' || text.length > MAX_LENGTH[column] || text.includes('\0')
}

function faults(numbers: Record<'narrative_id' | 'sentiment_score', unknown>, texts: Record<Text, string>) {
  const list: string[] = []
  if (numbers.narrative_id === undefined) list.push('narrative_id must be a whole number')
  for (const [column, text] of Object.entries(texts) as [Text, string][]) {
    if (text === '') list.push(`${column} is required`)
    else if (text.includes('\0')) list.push(`${column} must not contain the NUL character`)
    else if (text.length > MAX_LENGTH[column]) {
      list.push(`${column} must have at most ${MAX_LENGTH[column].toLocaleString('en')} characters`)
    }
  }
  if (numbers.sentiment_score === undefined) list.push('sentiment_score must be a number or empty')
  return list.join('; ')
}
