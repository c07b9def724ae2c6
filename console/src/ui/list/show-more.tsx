import '@mantine/core/styles/Button.layer.css'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Failed } from '../feedback/failed.tsx'
import { Loading } from '../feedback/loading.tsx'
import classes from './show-more.module.css'

/** What an infinite query returns, and whether the next page loads when this comes into view. */
type ShowMoreProps = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
  error: unknown
  isAutomatic: boolean
  /** 'Loading more events'. */
  loading: string
}

export function ShowMore({ isAutomatic, loading, error, ...query }: ShowMoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(fetchNextPage)
  latest.current = fetchNextPage
  const seen = useRef<number>(undefined)
  const isWatching = isAutomatic && hasNextPage && !isFetchingNextPage && !isFetchNextPageError

  useEffect(() => {
    if (!isWatching || !place.current) return
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && latest.current(),
      // A little before it comes into view.
      { rootMargin: '400px' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isWatching])

  // The pressed button is gone for a moment: the focus continues at the first of the new rows.
  useEffect(() => {
    if (isFetchingNextPage || seen.current === undefined) return
    items(place.current)[seen.current]?.focus()
    seen.current = undefined
  }, [isFetchingNextPage])

  function press() {
    seen.current = items(place.current).length
    void fetchNextPage()
  }

  return (
    <div ref={place} className={classes.more} hidden={!hasNextPage}>
      {isFetchNextPageError && error ? (
        <Failed error={error} retry={() => void fetchNextPage()} />
      ) : isFetchingNextPage ? (
        <Loading label={loading} />
      ) : (
        <Button variant="default" onClick={press}>
          Show more
        </Button>
      )}
    </div>
  )
}

/** The rows above, or what has the focus in them. */
function items(place: HTMLElement | null) {
  return place?.parentElement?.querySelectorAll<HTMLElement>('[data-row]') ?? []
}
