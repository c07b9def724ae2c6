import { type LinkProps, useLocation, useRouter } from '@tanstack/react-router'
import type { ListSearch } from '../list/list-search.ts'

/** An address inside the console with the state of the list on it, and the page before it. */
export type Place = { to: string; search: ListSearch; before?: Place }

declare module '@tanstack/history' {
  interface HistoryState {
    /** The page whose link led here. In the history entry it survives a reload, and a new tab has none. */
    from?: Place
  }
}

/** The `state` of a link whose page offers a way back: read when the link is followed, not when it is drawn. */
export function useFromHere() {
  const router = useRouter()
  return () => {
    const { pathname, search, state } = router.state.location
    const { from } = state
    return { from: { to: pathname, search, ...(from && { before: { to: from.to, search: from.search } }) } }
  }
}

/** The page that led here; nothing where this page was opened by its address. */
export function useCameFrom(): Place | undefined {
  return useLocation({ select: ({ state }) => state.from })
}

export type WayTo = Pick<LinkProps, 'to' | 'search' | 'state'>

/** A link to a place that is only known at run time; its own way back is as it was. */
export function linkTo({ to, search, before }: Place): WayTo {
  return { to, search, ...(before && { state: { from: before } }) } as WayTo
}
