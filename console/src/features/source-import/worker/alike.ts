import { type Alike, COLUMNS, type Column } from './messages.ts'
import type { Suggestions } from './suggestions.ts'

const MOST_LISTED = 50

type Rows = { suggestionsAt: (index: number) => Suggestions; textAt: (index: number, column: Column) => string }

/** Which rows have the same error, and can be corrected in the same way. */
export function createAlike({ suggestionsAt, textAt }: Rows) {
  const groups = new Map<string, { column: Column; rows: Set<number> }>()
  const keys = new Map<number, string[]>()

  function remove(index: number) {
    for (const key of keys.get(index) ?? []) {
      const rows = groups.get(key)?.rows
      rows?.delete(index)
      if (rows?.size === 0) groups.delete(key)
    }
    keys.delete(index)
  }

  return {
    /** Reads the suggestions of a row again. */
    update(index: number, hasSuggestions: boolean) {
      remove(index)
      if (!hasSuggestions) return
      const suggestions = suggestionsAt(index)
      const found: string[] = []
      for (const column of COLUMNS) {
        const key = suggestions[column]?.key
        if (key === undefined) continue
        const group = groups.get(key) ?? { column, rows: new Set() }
        group.rows.add(index)
        groups.set(key, group)
        found.push(key)
      }
      if (found.length > 0) keys.set(index, found)
    },
    /** The indexes of the rows, in the order of the file. */
    rows: (key: string) => Uint32Array.from(groups.get(key)?.rows ?? []).sort(),
    column: (key: string) => groups.get(key)?.column,
    /** The most frequent ones first. */
    list(): Alike[] {
      const largest = [...groups].sort(([, a], [, b]) => b.rows.size - a.rows.size).slice(0, MOST_LISTED)
      return largest.flatMap(([key, { column, rows }]) => {
        const [index = 0] = rows
        const to = suggestionsAt(index)[column]?.value
        return to === undefined ? [] : [{ key, column, from: textAt(index, column), to, count: rows.size }]
      })
    },
  }
}

export type AlikeRows = ReturnType<typeof createAlike>
