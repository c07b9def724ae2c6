import { parseJson } from '@watchdesk/contract/json'
import { JSON_DEPTH, MAX_COLUMNS, MAX_ROW_LENGTH } from '@watchdesk/contract/limits'
import { Problem } from '../../problem.ts'

const KEY = 'sheet_records'
/** The approximate number of characters parsed at once. */
const BATCH = 65_536
/** The limit for the body without its records. */
const MAX_REST_LENGTH = 65_536

function malformed() {
  return new Problem(400, 'The body is not valid JSON.')
}

function tooManyColumns() {
  const most = MAX_COLUMNS.toLocaleString('en')
  return new Problem(422, `A row has more than ${most} columns. Remove the columns that you do not need.`)
}

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/** Splits a body while it arrives: only parts of limited size and depth are parsed, so memory and time stay bounded. */
export function createRecordSplitter() {
  let rest = ''
  let batch = ''
  let depth = 0
  // Counts the values of the current record, because each takes far more memory than its characters.
  let commas = 0
  let isString = false
  let isEscaped = false
  let isObject = false
  // Where the last string outside the records is in `rest`: before a list, it is the name of the list.
  let [keyStart, keyEnd] = [0, 0]
  let isInRecords = false
  let hasRecords = false
  let hasFlushed = false

  return {
    *write(text: string): Generator<unknown[]> {
      let from = 0
      const keep = (to: number) => {
        if (isInRecords) batch += text.slice(from, to)
        else rest += text.slice(from, to)
        from = to
      }
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        if (isString) {
          if (isEscaped) isEscaped = false
          else if (code === BACKSLASH) isEscaped = true
          else if (code === QUOTE) {
            isString = false
            if (depth === 1) keyEnd = rest.length + at + 1 - from
          }
        } else if (code === QUOTE) {
          isString = true
          if (depth === 1) keyStart = rest.length + at - from
        } else if (code === COMMA) {
          if (!isInRecords) continue
          if (depth > 2) {
            commas += 1
            if (commas >= MAX_COLUMNS) throw tooManyColumns()
          } else if (batch.length + at - from >= BATCH) {
            keep(at)
            from = at + 1
            yield flush(false)
          }
        } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
          if (depth === 0) isObject = code === OPEN_OBJECT
          depth += 1
          if (depth === 3) commas = 0
          if (depth > JSON_DEPTH) throw new Problem(400, `The body is nested more than ${JSON_DEPTH} levels deep.`)
          if (depth === 2 && code === OPEN_LIST && isObject) {
            keep(at + 1)
            if (!isKey(rest.slice(keyStart, keyEnd))) continue
            if (hasRecords) throw malformed()
            hasRecords = true
            isInRecords = true
          }
        } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
          depth -= 1
          if (depth < 0) throw malformed()
          if (isInRecords && depth === 1) {
            keep(at)
            isInRecords = false
            yield flush(true)
          }
        }
      }
      keep(text.length)
      if (batch.length > BATCH + MAX_ROW_LENGTH) throw new Problem(422, 'A row is too long to be read.')
      if (rest.length > MAX_REST_LENGTH) throw new Problem(413, 'The body is too large, even without its rows.')
    },
    /** Returns the body with an empty list of records. */
    end(): unknown {
      if (rest.trim() === '') throw new Problem(400, 'The body is empty, but the Content-Type is JSON.')
      return parse(rest)
    },
  }

  function flush(isLast: boolean): unknown[] {
    const records = parse(`[${batch}]`) as unknown[]
    batch = ''
    // Nothing between two commas, or a trailing comma.
    if (records.length === 0 && (!isLast || hasFlushed)) throw malformed()
    hasFlushed = true
    return records
  }
}

function isKey(literal: string) {
  return literal.length < 100 && literal.length > 1 && parse(literal) === KEY
}

function parse(text: string): unknown {
  const value = parseJson(text)
  if (value === undefined || isPoisoned(value)) throw malformed()
  return value
}

/** Keys that enable prototype pollution. The depth is already limited here. */
function isPoisoned(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(isPoisoned)
  if (Object.hasOwn(value, '__proto__')) return true
  if (Object.hasOwn(value, 'constructor') && Object.hasOwn(Object(value.constructor), 'prototype')) return true
  return Object.values(value).some(isPoisoned)
}
