import { queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/source-import'
import { call } from '../../api/call.ts'
import type { OpenFile } from './open-file.ts'

/** The account to share a spreadsheet with; only our server provides it. */
export const serviceAccountQuery = queryOptions({
  queryKey: ['source-import', 'service-account'],
  queryFn: async ({ signal }) => (await call(api.serviceAccount, { signal })).email,
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
})

/**
 * The name and size of the file are for the list of imports, and with its row numbers the result names the rows that the
 * person knows.
 */
export async function describeFile(input: OpenFile, key: string) {
  const { name, size } = input.file
  const rows = await input.numbers()
  const body = { key, name, bytes: size, skipped_count: input.skippedCount(), ...(rows !== undefined && { rows }) }
  return call(api.describeFile, { body })
}

/** The server runs requests with the same key once. */
export function importSources(body: api.SourceImport | Blob, key: string) {
  return call(api.importSources, { body, headers: { 'idempotency-key': key } })
}
