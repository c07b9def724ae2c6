import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import-messages'
import { useRef, useState } from 'react'
import { currentUserQuery } from '../session/queries.ts'
import { importSources } from './queries.ts'
import type { Reading } from './reading.ts'

/** What is imported: a spreadsheet's address, or a file that was read. */
export type Input = string | Reading

/** The last import's answer, and what it was the answer to. */
export type Imported = { name: string; result: SourceImportResult }

/** Kept while the console is open: who follows the link to the sheet and comes back finds it again. */
const RESULT = ['source-import', 'result']

export function useImport() {
  const client = useQueryClient()
  const { data: imported } = useQuery<Imported | null>({ queryKey: RESULT, queryFn: skipToken, gcTime: Infinity })
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<string[]>()
  const [done, setDone] = useState<Input>()
  const keyOf = useRequestKeys()

  async function send(input: Input) {
    setPending(true)
    clear()
    try {
      const email = await client
        .fetchQuery({ ...currentUserQuery, retry: false })
        .then((user) => user.email, lookupFailed)
      const isUrl = typeof input === 'string'
      const key = keyOf(input)
      const result = await bodyOf(input, email)
        .then((body) => importSources(body, key.value))
        .catch(callFailed)
      key.forget()
      setDone(input)
      client.setQueryData<Imported>(RESULT, { name: isUrl ? input : input.file.name, result })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      setFailure([error.message, SOURCE_IMPORT_MESSAGES.advice])
    } finally {
      setPending(false)
    }
  }

  function clear() {
    setFailure(undefined)
    client.setQueryData(RESULT, null)
  }

  return { imported, done, failure, pending, send, forgetFailure: () => setFailure(undefined) }
}

async function bodyOf(input: Input, email: string) {
  return typeof input === 'string' ? { email, sheet_url: input, sheet_records: null } : input.body(email)
}

class Failure extends Error {}

function lookupFailed(error: unknown): never {
  throw new Failure(SOURCE_IMPORT_MESSAGES.lookup_failed(messageOf(error)))
}

function callFailed(error: unknown): never {
  throw new Failure(SOURCE_IMPORT_MESSAGES.call_failed(messageOf(error)))
}

/** The sentence that it goes into has its own full stop. */
function messageOf(error: unknown) {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}

/**
 * The same key for every try of the same input, so that one whose answer was lost is not carried out twice. Once it is
 * answered, the next import is a new one: the sheet behind an address may have changed.
 */
function useRequestKeys() {
  const last = useRef<{ input: Input; value: string }>(undefined)
  return (input: Input) => {
    if (last.current?.input !== input) last.current = { input, value: crypto.randomUUID() }
    return {
      value: last.current.value,
      forget: () => {
        last.current = undefined
      },
    }
  }
}
