import { CONTENT_TYPES, PLATFORMS } from './enums.ts'
import { MAX_ID, STORY_LENGTH } from './limits.ts'
import { STORIES_COLUMNS } from './stories-import.ts'

type Column = (typeof STORIES_COLUMNS)[number]
export type Places = Record<Column, number>

/** The index of each column, or what is wrong with the header. Ignores order, case and extra columns. */
export function placesOf(header: readonly string[]): Places | string {
  const names = header.map((name) => name.trim().toLowerCase())
  const missing = STORIES_COLUMNS.filter((column) => !names.includes(column))
  if (missing.length > 0) {
    const which = missing.length === 1 ? `the column ${missing[0]}` : `the columns ${missing.join(', ')}`
    return `The file is missing ${which}. Its first row must contain ${STORIES_COLUMNS.join(', ')}.`
  }
  const repeated = STORIES_COLUMNS.find((column) => names.indexOf(column) !== names.lastIndexOf(column))
  if (repeated) return `The file has more than one column ${repeated}.`
  return Object.fromEntries(STORIES_COLUMNS.map((column) => [column, names.indexOf(column)])) as Places
}

export type Story = {
  narrative_id: number
  message_composite_id: string
  story: string
  sentiment_score: number | null
}

export function readStory(places: Places, cells: readonly string[]): Story | string {
  const cell = (column: Column) => cells[places[column]]?.trim() ?? ''
  const narrative_id = narrativeIdOf(cell('narrative_id'))
  const message_composite_id = cell('message_composite_id')
  const story = cell('story')
  const sentiment_score = sentimentOf(cell('sentiment_score'))
  const problems = [
    narrative_id === undefined ? 'narrative_id must be a whole number' : '',
    textProblem('message_composite_id', message_composite_id),
    textProblem('story', story),
    sentiment_score === undefined ? 'sentiment_score must be a number or empty' : '',
  ].filter((problem) => problem !== '')
  const isRead = narrative_id !== undefined && sentiment_score !== undefined && problems.length === 0
  return isRead ? { narrative_id, message_composite_id, story, sentiment_score } : problems.join('; ')
}

function textProblem(column: keyof typeof STORY_LENGTH, text: string) {
  const max = STORY_LENGTH[column]
  if (text === '') return `${column} is required`
  if (text.includes('\0')) return `${column} must not contain the NUL character`
  return text.length > max ? `${column} must have at most ${max.toLocaleString('en')} characters` : ''
}

/** The patterns below would be slow for very long text. */
const MAX_NUMBER_LENGTH = 400

/** The origin of a message, from its id: `telegram:post:77` is a post on TELEGRAM. */
export function originOf(message_composite_id: string) {
  const parts = message_composite_id.toUpperCase().split(/[:_/|-]/)
  const first = <Name extends string>(names: readonly Name[]) =>
    parts.map((part) => names.find((name) => name === part)).find((name) => name !== undefined) ?? null
  return { platform: first(PLATFORMS), content_type: first(CONTENT_TYPES) }
}

function narrativeIdOf(text: string) {
  if (text.length > MAX_NUMBER_LENGTH) return undefined
  // Some programs write 17 as 17.0.
  const digits = /^0*(\d{1,10})(\.0*)?$/.exec(text)?.[1]
  const number = Number(digits ?? 0)
  return number >= 1 && number <= MAX_ID ? number : undefined
}

/** The score in a cell: null if it is empty, undefined if it is not a number. */
function sentimentOf(text: string) {
  if (text === '') return null
  if (text.length > MAX_NUMBER_LENGTH) return undefined
  // Spreadsheets in locales with decimal commas write 0,5.
  const number = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,3})?$/i.test(text)
    ? Number(text.replace(',', '.'))
    : Infinity
  return Number.isFinite(number) ? number : undefined
}
