import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { type RowsQuery, WINDOW } from './window.ts'

/** Rows scrolled past faster than this are not requested. */
const DEBOUNCE_MS = 80

type Range = { first: number; count: number; total: number }

/** The rows around the viewport. Requests for rows that are no longer needed are cancelled. */
export function useRows(rows: RowsQuery, { first, count, total }: Range) {
  const lastOfAll = Math.max(0, Math.ceil(total / WINDOW) - 1)
  const from = Math.min(Math.floor(first / WINDOW), lastOfAll)
  const to = Math.min(Math.floor((first + Math.max(count, 1) - 1) / WINDOW), lastOfAll)
  const [settled] = useDebouncedValue(from, DEBOUNCE_MS)
  const isPassing = Math.abs(from - settled) > 1

  // Visible rows first, so that they are requested first.
  const windows = [...between(from, to), to + 1, from - 1].filter((window) => window >= 0 && window <= lastOfAll)
  const queries = useQueries({
    queries: windows.map((window) => ({ ...rows(window), enabled: !isPassing && total > 0 })),
  })

  const inView = to - from + 1
  const failed = queries.slice(0, inView).findIndex(({ error, data }) => error && !data)
  return {
    rowAt: (index: number) => {
      const query = queries[windows.indexOf(Math.floor(index / WINDOW))]
      return query?.data?.rows[index % WINDOW]
    },
    /** Some loaded rows, to measure the columns. */
    sample: queries.find(({ data }) => data)?.data?.rows,
    failure:
      failed === -1
        ? undefined
        : {
            error: queries[failed]?.error,
            first: (from + failed) * WINDOW,
            last: Math.min(total, (from + failed + 1) * WINDOW) - 1,
            retry: () => {
              for (const query of queries) if (query.error) void query.refetch()
            },
          },
  }
}

function between(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, step) => from + step)
}
