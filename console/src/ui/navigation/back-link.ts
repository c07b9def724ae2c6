import { type LinkProps, useLocation, useRouter } from '@tanstack/react-router'

/** An address in the console with the state of its list, and the page before it. */
export type PageAddress = { to: string; search: object; before?: PageAddress }

declare module '@tanstack/history' {
  interface HistoryState {
    /** The previous page. In the history entry it survives a reload; a new tab has none. */
    from?: PageAddress
  }
}

/** The `state` for a link to a page with a back link: read when the link is followed, not when it is rendered. */
export function useBackState() {
  const router = useRouter()
  return () => {
    const { pathname, search, state } = router.state.location
    const { from } = state
    return { from: { to: pathname, search, ...(from && { before: { to: from.to, search: from.search } }) } }
  }
}

/** The page with the link that was followed; undefined if this page was opened by its address. */
export function usePreviousPage(): PageAddress | undefined {
  return useLocation({ select: ({ state }) => state.from })
}

export type LinkTarget = Pick<LinkProps, 'to' | 'search' | 'state'>

/** A link to an address that is only known at run time; its own back link stays as it was. */
export function linkTo({ to, search, before }: PageAddress): LinkTarget {
  return { to, search, ...(before && { state: { from: before } }) } as LinkTarget
}
