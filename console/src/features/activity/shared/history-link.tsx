import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'

declare module '@tanstack/history' {
  interface HistoryState {
    /** Whether the previous entry is the same page without its history. */
    isAbovePage?: true
  }
}

/** Opens the history of the page's record. The page below keeps its place, its back link and its form. */
export function HistoryLink({ children }: { children: ReactNode }) {
  const search = useSearch({ strict: false })
  return (
    <Link
      to="."
      search={{ ...search, history: true }}
      state={(state) => ({ ...state, isAbovePage: true })}
      resetScroll={false}
    >
      {children}
    </Link>
  )
}

/** Whether the history is open, and how to close it: by going back, unless the page was opened with it. */
export function useHistoryPanel() {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()

  function close() {
    if (router.state.location.state.isAbovePage) router.history.back()
    else
      void navigate({
        to: '.',
        search: { ...search, history: undefined },
        state: true,
        replace: true,
        resetScroll: false,
      })
  }
  return { isOpen: search.history === true, close }
}
