import { queryOptions } from '@tanstack/react-query'
import * as catalog from '@watchdesk/contract/catalog'
import * as api from '@watchdesk/contract/website-config'
import { call, callWithHeaders } from '../../api/call.ts'

/** The values, with their version from the ETag header. */
export const websiteConfigQuery = queryOptions({
  queryKey: ['website-config'],
  queryFn: async ({ signal }) => {
    const { body, headers } = await callWithHeaders(api.getWebsiteConfig, { signal })
    return { values: body, version: headers.get('etag') }
  },
})

export async function updateWebsiteConfig(body: api.WebsiteConfigUpdate, given: { 'if-match'?: string }) {
  const { headers } = await callWithHeaders(api.updateWebsiteConfig, { body, headers: given })
  return headers.get('etag')
}

export const caseTypesQuery = queryOptions({
  queryKey: ['catalog', 'case-types'],
  queryFn: ({ signal }) => call(catalog.caseTypes, { signal }),
})

/** Maps the label of each model to its value. */
export const vectorizationModelsQuery = queryOptions({
  queryKey: ['catalog', 'vectorization-models'],
  queryFn: ({ signal }) => call(catalog.vectorizationModels, { signal }),
})
