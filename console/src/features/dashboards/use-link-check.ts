import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Dashboard, LinkCheck } from '@watchdesk/contract/dashboards'
import { LINKS_AT_ONCE } from '@watchdesk/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { toastError } from '../../ui/feedback/toast.tsx'
import { checkLinks } from './queries.ts'

type Results = Record<number, LinkCheck>

const KEY = ['link-check']

export type LinkResultState = LinkCheck | 'waiting' | undefined

/** Checks embed links, a few at a time, so that results appear one after the other and the check can be cancelled. */
export function useLinkCheck() {
  const client = useQueryClient()
  // Kept while other pages are open, so that the links can be corrected one by one.
  const { data: results = {} } = useQuery<Results>({
    queryKey: KEY,
    queryFn: () => ({}),
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const [waiting, setWaiting] = useState<number[]>([])
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function run(dashboards: Dashboard[]) {
    if (running.current) return
    const controller = new AbortController()
    running.current = controller
    const ids = dashboards.map(({ id }) => id)
    try {
      for (let done = 0; done < ids.length; done += LINKS_AT_ONCE) {
        setProgress({ done, total: ids.length })
        setWaiting(ids.slice(done))
        const { objects } = await checkLinks(ids.slice(done, done + LINKS_AT_ONCE), controller.signal)
        const checked = Object.fromEntries(objects.map((result) => [result.id, result]))
        client.setQueryData<Results>(KEY, (known) => ({ ...known, ...checked }))
      }
    } catch (error) {
      if (!controller.signal.aborted) toastError(error)
    } finally {
      running.current = undefined
      setWaiting([])
      setProgress(undefined)
    }
  }

  /** A result of a link that has been changed since is not one of this dashboard. */
  function resultOf({ id, embed_link }: Dashboard): LinkResultState {
    if (waiting.includes(id)) return 'waiting'
    const result = results[id]
    return result?.embed_link === embed_link ? result : undefined
  }

  return {
    run,
    cancel: () => running.current?.abort(),
    progress,
    resultOf,
    isShown: progress !== undefined || Object.keys(results).length > 0,
  }
}

export type LinkChecking = ReturnType<typeof useLinkCheck>
