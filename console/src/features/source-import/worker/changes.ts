import { LENGTH } from '@watchdesk/contract/limits'
import type { AlikeRows } from './alike.ts'
import type { Edit, Edits } from './edits.ts'
import { type Change, COLUMNS, type Column } from './messages.ts'
import { pastedCells } from './pasted.ts'
import type { Suggestions } from './suggestions.ts'

export type EditableRows = {
  edits: Edits
  /** How many rows are shown, and the index of each. */
  shownCount: () => number
  indexAt: (at: number) => number
  fileText: (index: number, column: Column) => string
  suggestionsAt: (index: number) => Suggestions
  alike: AlikeRows
}

type Wanted = { wanted: ReadonlyMap<number, Edit> | undefined; left: number }

/** The edits that a change makes; undefined for undo and redo. `left` is how many pasted rows did not fit. */
export function wantedEdits(rows: EditableRows, change: Change): Wanted {
  if (change.type === 'undo' || change.type === 'redo') return { wanted: undefined, left: 0 }
  if (change.type === 'paste') return pasting(rows, change)
  if (change.type === 'accept all') {
    const column = rows.alike.column(change.key) ?? 'url'
    return { wanted: accepting(rows, rows.alike.rows(change.key), column), left: 0 }
  }
  const index = rows.indexAt(change.at)
  if (change.type === 'accept') return { wanted: accepting(rows, [index], change.column), left: 0 }
  const known = rows.edits.get(index)
  const edit =
    change.type === 'skip'
      ? { ...known, isSkipped: change.isSkipped }
      : writing(rows, index, change.column, change.text, known)
  return { wanted: new Map([[index, edit]]), left: 0 }
}

/** The edit of a row after writing into one of its cells. Text that is the same as in the file is no edit. */
function writing(rows: EditableRows, index: number, column: Column, text: string, edit: Edit | undefined): Edit {
  const oneLine = text.replace(/[\r\n\t]+/g, ' ').trim()
  // Text over the limit stays over the limit, so that it is rejected.
  const written = oneLine.slice(0, LENGTH.link + 1)
  return { ...edit, [column]: written === rows.fileText(index, column) ? undefined : written }
}

function pasting(rows: EditableRows, { at, column, text }: { at: number; column: Column; text: string }) {
  const cells = pastedCells(text)
  const space = rows.shownCount() - at
  const from = COLUMNS.indexOf(column)
  const wanted = new Map<number, Edit>()
  for (const [row, values] of cells.slice(0, space).entries()) {
    const index = rows.indexAt(at + row)
    let edit = rows.edits.get(index) ?? {}
    for (const [step, value] of values.entries()) {
      const target = COLUMNS[from + step]
      if (target) edit = writing(rows, index, target, value, edit)
    }
    wanted.set(index, edit)
  }
  return { wanted, left: Math.max(0, cells.length - space) }
}

function accepting(rows: EditableRows, indexes: Iterable<number>, column: Column) {
  const wanted = new Map<number, Edit>()
  for (const index of indexes) {
    const value = rows.suggestionsAt(index)[column]?.value
    if (value !== undefined) wanted.set(index, writing(rows, index, column, value, rows.edits.get(index)))
  }
  return wanted
}
