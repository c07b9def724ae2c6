import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { useState } from 'react'
import { useIdempotencyKey } from '../../api/idempotency-key.ts'
import { currentUserQuery } from '../session/queries.ts'
import type { OpenFile } from './open-file.ts'
import { importSources } from './queries.ts'

/** What is imported: a spreadsheet's address, or a file that was read. */
export type Input = string | OpenFile

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
  // The sheet behind an address may have changed, so an import that follows an answer is a new one.
  const { keyOf, answered } = useIdempotencyKey()

  async function send(input: Input) {
    setPending(true)
    clear()
    try {
      const email = await client
        .fetchQuery({ ...currentUserQuery, retry: false })
        .then((user) => user.email, lookupFailed)
      const isUrl = typeof input === 'string'
      const body = await bodyOf(input, email)
      const result = await importSources(body, keyOf(input))
      answered()
      setDone(input)
      client.setQueryData<Imported>(RESULT, { name: isUrl ? input : input.file.name, result })
    } catch (error) {
      const text = error instanceof LookupFailure ? error.message : SOURCE_IMPORT_MESSAGES.call_failed(messageOf(error))
      setFailure([text, SOURCE_IMPORT_MESSAGES.advice])
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

class LookupFailure extends Error {}

function lookupFailed(error: unknown): never {
  throw new LookupFailure(SOURCE_IMPORT_MESSAGES.lookup_failed(messageOf(error)))
}

/** The sentence that it goes into has its own full stop. */
function messageOf(error: unknown) {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
