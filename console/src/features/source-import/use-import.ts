import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { useState } from 'react'
import { useIdempotencyKey } from '../../api/idempotency-key.ts'
import type { Progress } from '../../api/upload.ts'
import { currentUserQuery } from '../auth/queries.ts'
import { createSourceJob } from '../jobs/queries.ts'
import { hasJobs } from '../jobs/shared/use-has-jobs.ts'
import { useJobs } from '../jobs/shared/use-jobs.ts'
import type { OpenFile } from './open-file.ts'
import { describeFile, importSources } from './queries.ts'

/** What to import: the address of a spreadsheet, or a file that has been read. */
export type Input = string | OpenFile

/** The result of the last import, the name of its input, and how many of its rows were skipped. */
export type Imported = { name: string; skipped?: number; result: SourceImportResult }

/** Kept in the cache, so that it is still there after following the link to the sheet and coming back. */
const RESULT = ['source-import', 'result']

export function useImport() {
  const client = useQueryClient()
  const { data: imported } = useQuery<Imported | null>({ queryKey: RESULT, queryFn: skipToken, gcTime: Infinity })
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<string[]>()
  const [done, setDone] = useState<Input>()
  /** Bytes of the file that a job will import. */
  const [uploaded, setUploaded] = useState<Progress>()
  const { jobs, add, clear: clearJobs } = useJobs('source_import')
  // The spreadsheet may have changed, so an import after a completed one gets a new key.
  const { keyOf, renewKey } = useIdempotencyKey()

  /** Sends a file with many rows as a job, if the backend is known to have jobs. */
  async function send(input: Input, rows: number) {
    setPending(true)
    clear()
    clearJobs()
    try {
      const isUrl = typeof input === 'string'
      const isFileKept = !isUrl && (await hasJobs(client))
      if (isFileKept && rows > ROWS_IN_A_CALL) return await sendAsJob(input, rows)
      const email = await client
        .fetchQuery({ ...currentUserQuery, retry: false })
        .then((user) => user.email, lookupFailed)
      const body = await bodyOf(input, email)
      const key = keyOf(input, isUrl ? 0 : input.version())
      if (isFileKept) await describeFile(input, key)
      const result = await importSources(body, key)
      renewKey()
      setDone(input)
      const skipped = isUrl ? 0 : input.skippedCount()
      client.setQueryData<Imported>(RESULT, { name: isUrl ? input : input.file.name, skipped, result })
    } catch (error) {
      const text = error instanceof LookupFailure ? error.message : SOURCE_IMPORT_MESSAGES.call_failed(messageOf(error))
      setFailure([text, SOURCE_IMPORT_MESSAGES.advice])
    } finally {
      setPending(false)
      setUploaded(undefined)
    }
  }

  async function sendAsJob(input: OpenFile, rows_count: number) {
    const file = input.isEdited() ? await input.correctedFile('kept') : input.file
    const body = { file, rows_count, skipped_count: input.skippedCount() }
    add(await createSourceJob(body, { key: keyOf(input, input.version()), onProgress: setUploaded }))
    renewKey()
    setDone(input)
  }

  function clear() {
    setFailure(undefined)
    client.setQueryData(RESULT, null)
  }

  function forgetFailure() {
    setFailure(undefined)
    if (imported?.result.error_message) clear()
  }

  return { imported, done, failure, pending, uploaded, jobs, send, forgetFailure }
}

async function bodyOf(input: Input, email: string) {
  return typeof input === 'string' ? { email, sheet_url: input, sheet_records: null } : input.body(email)
}

class LookupFailure extends Error {}

function lookupFailed(error: unknown): never {
  throw new LookupFailure(SOURCE_IMPORT_MESSAGES.lookup_failed(messageOf(error)))
}

/** Without its full stop: the sentence around it has one. */
function messageOf(error: unknown) {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
