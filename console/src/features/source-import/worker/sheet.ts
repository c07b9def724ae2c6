import { countryCode } from '@watchdesk/contract/countries'
import { readAddress, sourceColumns, writtenText } from '@watchdesk/contract/source-row'
import { createAlike } from './alike.ts'
import { type EditableRows, wantedEdits } from './changes.ts'
import type { Table } from './collector.ts'
import { correctedRows } from './corrected.ts'
import { createEdits } from './edits.ts'
import { createJudge, OUTCOMES } from './judge.ts'
import {
  type Alike,
  type Change,
  type Changed,
  COLUMNS,
  type Column,
  type Counts,
  type Filter,
  type Judged,
  type PreviewRow,
} from './messages.ts'
import { type Suggestions, suggestionsFor } from './suggestions.ts'

const ROWS_PER_REPORT = 20_000
/** How long suggestions are computed before other calls get a turn. */
const SLICE_MS = 12
const REPORT_MS = 250

/** The rows of a file with their edits, and the outcome of each. */
export function createSheet(table: Table, progress: (part: number) => void) {
  const { keys, values, rows: numbers } = table
  const columns = sourceColumns(keys.filter((key) => key !== undefined))
  const positions = { url: positionOf(columns?.url), country: positionOf(columns?.country) }
  const edits = createEdits()
  const isSkipped = (index: number) => edits.get(index)?.isSkipped === true
  const judge = createJudge({ count: values.length, writtenAt, isSkipped })
  const alike = createAlike({ suggestionsAt, textAt: (index, column) => writtenAt(index)[column] })
  /** The indexes of the rows that are shown; undefined for all. They stay the same while rows are edited. */
  let shown: Uint32Array | undefined
  /** Suggestions are known of the rows before this one. */
  let scanned = 0
  let version = 0
  let counts: Counts = null
  if (columns) counts = readAll()
  const originally = judge.codes().slice()

  function positionOf(name: string | undefined) {
    return name === undefined ? undefined : keys.indexOf(name)
  }

  function readAll() {
    for (let index = 0; index < values.length; index += 1) {
      judge.read(index)
      if (index % ROWS_PER_REPORT === 0) progress(index / values.length)
    }
    return judge.judge()
  }

  /** The text of a cell in the file. */
  function fileText(index: number, column: Column) {
    const position = positions[column]
    return position === undefined ? '' : String(values[index]?.[position] ?? '').trim()
  }

  function writtenAt(index: number) {
    const edit = edits.get(index)
    return {
      url: writtenText(edit?.url ?? fileText(index, 'url'), 'link'),
      country: writtenText(edit?.country ?? fileText(index, 'country'), 'country'),
    }
  }

  function suggestionsAt(index: number): Suggestions {
    return judge.isWrong(index) && !isSkipped(index) ? suggestionsFor(writtenAt(index)) : {}
  }

  function show(index: number): PreviewRow {
    const written = writtenAt(index)
    const address = readAddress(written.url)
    const outcome = judge.outcomeAt(index)
    const edit = edits.get(index)
    const first = outcome === 'repeated in the file' ? judge.firstLike(index) : undefined
    const suggestions = suggestionsAt(index)
    return {
      row: numbers[index] ?? 0,
      written,
      outcome,
      platform: typeof address === 'string' ? undefined : address.platform,
      country: countryCode(written.country),
      before: Object.fromEntries(
        COLUMNS.filter((column) => edit?.[column] !== undefined).map((column) => [column, fileText(index, column)]),
      ),
      isFixed: edit !== undefined && outcome === 'requested' && OUTCOMES[originally[index] ?? 0] !== 'requested',
      repeats: first === undefined ? undefined : numbers[first],
      suggestions: Object.fromEntries(
        COLUMNS.flatMap((column) => (suggestions[column] ? [[column, suggestions[column].value]] : [])),
      ),
    }
  }

  function matching(filter: Filter) {
    if (filter === undefined) return undefined
    if (typeof filter === 'object') return alike.rows(filter.alike)
    const isWanted = OUTCOMES.map((outcome) =>
      filter === 'problems' ? outcome !== 'requested' && outcome !== 'skipped' : outcome === filter,
    )
    const found = new Uint32Array(values.length)
    let count = 0
    const codes = judge.codes()
    for (let index = 0; index < codes.length; index += 1) if (isWanted[codes[index] ?? 0]) found[count++] = index
    return found.slice(0, count)
  }

  const rows: EditableRows = {
    edits,
    shownCount: () => shown?.length ?? values.length,
    indexAt: (at) => shown?.[at] ?? at,
    fileText,
    suggestionsAt,
    alike,
  }
  const { shownCount, indexAt } = rows

  /** The position of a row among those that are shown. */
  function shownAt(index: number) {
    if (!shown) return index
    const at = shown.indexOf(index)
    return at < 0 ? undefined : at
  }

  function change(change: Change): Changed {
    const { wanted, left } = wantedEdits(rows, change)
    const changed = wanted ? edits.change(wanted) : edits[change.type === 'undo' ? 'undo' : 'redo']()
    const before = judge.codes().slice()
    for (const index of changed) judge.read(index)
    if (changed.length > 0) {
      counts = judge.judge()
      version += 1
    }
    for (const index of changed) if (index < scanned) updateAlike(index)
    const others = differences(before, judge.codes()) - changed.filter((index) => isOther(before, index)).length
    return { ...judged(), first: firstOf(changed, change), rows: changed.length, others, left }
  }

  function isOther(before: Uint8Array, index: number) {
    return before[index] !== judge.codes()[index]
  }

  function firstOf([index]: number[], change: Change): Changed['first'] {
    if (index === undefined) return undefined
    const column = 'column' in change ? change.column : 'url'
    return { at: shownAt(index), column, row: numbers[index] ?? 0, outcome: judge.outcomeAt(index) }
  }

  function updateAlike(index: number) {
    alike.update(index, judge.isWrong(index) && !isSkipped(index))
  }

  /** Finds the rows that are alike, in slices: an edit must not wait for a hundred thousand suggestions. */
  async function scan(report: (found: Alike[]) => void) {
    let reported = 0
    while (counts && scanned < values.length) {
      const until = performance.now() + SLICE_MS
      while (scanned < values.length && performance.now() < until) {
        updateAlike(scanned)
        scanned += 1
      }
      if (performance.now() - reported > REPORT_MS) {
        reported = performance.now()
        report(alike.list())
      }
      await new Promise((resolve) => setTimeout(resolve))
    }
    return alike.list()
  }

  const judged = (): Judged => ({
    counts,
    alike: alike.list(),
    changedCount: edits.count(),
    canUndo: edits.canUndo(),
    canRedo: edits.canRedo(),
    version,
  })

  return {
    judged,
    change,
    scan,
    /** Chooses the rows to show, and returns their number. */
    filter: (wanted: Filter) => {
      shown = matching(wanted)
      return shownCount()
    },
    /** A range of the rows that are shown. */
    slice: (from: number, to: number) =>
      Array.from({ length: Math.max(0, Math.min(to, shownCount()) - from) }, (_, step) => show(indexAt(from + step))),
    corrected: () => correctedRows(table, edits, positions),
  }
}

/** A loop by index: iterating over a million entries takes ten times as long. */
function differences(a: Uint8Array, b: Uint8Array) {
  let count = 0
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) count += 1
  return count
}
