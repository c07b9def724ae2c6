import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/sources'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { type Failure, failureOf } from '../../../ui/form/use-action.ts'

/** Kept in the cache, so that they are still there after following a link to a source and coming back. */
type Kept = { text: string; found: api.FoundAddress[] | undefined }

const KEPT = ['find-sources']
const NOTHING: Kept = { text: '', found: undefined }

/** The entered text, and what is known of its addresses. */
export function useFind() {
  const client = useQueryClient()
  const { data: kept = NOTHING } = useQuery<Kept>({ queryKey: KEPT, queryFn: skipToken, gcTime: Infinity })
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  function keep(changes: Partial<Kept>) {
    client.setQueryData<Kept>(KEPT, (before = NOTHING) => ({ ...before, ...changes }))
  }

  async function find(addresses: string[]) {
    setPending(true)
    setFailure(undefined)
    try {
      keep({ found: (await call(api.findSources, { body: { addresses } })).objects })
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setPending(false)
    }
  }

  return {
    ...kept,
    pending,
    failure,
    find,
    setText: (text: string) => {
      setFailure(undefined)
      keep({ text })
    },
    clear: () => {
      setFailure(undefined)
      keep(NOTHING)
    },
  }
}
