import { type QueryKey, queryOptions } from '@tanstack/react-query'

const GC_TIME_MS = 120_000

/** Rows per request. */
export const WINDOW = 200

export type GridRows = { number: number; cells: string[] }[]

type Part = { rows: GridRows; total: number }
type Read = (range: { offset: number; limit: number }, signal: AbortSignal) => Promise<Part>

/** A window of rows that never change, so they are never stale. */
export function windowQuery(key: QueryKey, window: number, read: Read) {
  return queryOptions({
    queryKey: [...key, window] as QueryKey,
    queryFn: async ({ signal }) => {
      const rows: GridRows = []
      for (;;) {
        const range = { offset: window * WINDOW + rows.length, limit: WINDOW - rows.length }
        const part = await read(range, signal)
        rows.push(...part.rows)
        // The server returns fewer rows than requested if they are long.
        const isDone = rows.length >= WINDOW || range.offset + part.rows.length >= part.total
        if (isDone || part.rows.length === 0) return { rows }
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: GC_TIME_MS,
  })
}

/** Rows that are in memory already. `key` changes with them. */
export function rowsInMemory(key: QueryKey, cells: string[][]): RowsQuery {
  const rows = cells.map((row, index) => ({ number: index + 1, cells: row }))
  return (window) => {
    const shown = rows.slice(window * WINDOW, (window + 1) * WINDOW)
    const query = windowQuery(key, window, async () => ({ rows: shown, total: rows.length }))
    return { ...query, placeholderData: { rows: shown }, gcTime: 0 }
  }
}

export type RowsQuery = (window: number) => ReturnType<typeof windowQuery>
