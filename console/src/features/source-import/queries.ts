import { queryOptions } from '@tanstack/react-query'
import * as api from '@watchdesk/contract/source-import'
import { call } from '../../api/call.ts'

/** Whom a spreadsheet must be shared with; backends other than ours do not say. */
export const serviceAccountQuery = queryOptions({
  queryKey: ['source-import', 'service-account'],
  queryFn: async ({ signal }) => (await call(api.serviceAccount, { signal })).email,
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
})

/** A retry with the same key is carried out once. */
export function importSources(body: api.SourceImport | Blob, key: string) {
  return call(api.importSources, { body, headers: { 'idempotency-key': key } })
}
