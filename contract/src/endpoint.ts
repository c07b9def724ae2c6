import type { z } from 'zod'
import type { ListOptions, ListQuery } from './list.ts'
import type { Page } from './page.ts'

/** Who may call: everyone, a signed-in workspace admin (and any super admin), or super admins alone. */
export type Access = 'public' | 'workspace_admin' | 'super_admin'

/** What a call takes and answers: stands beside its endpoint, under the same name, in the `.schema.ts` file. */
export type EndpointSchema = {
  summary: string
  params?: z.ZodType
  querystring?: z.ZodType
  headers?: z.ZodType
  body?: z.ZodType
  /** Exactly one entry: the status and body of success. Failures are always `ErrorBody`. */
  response: Record<number, z.ZodType>
}

/** A call of the API as plain data: a server route without its schema and its handler. */
export type Endpoint<Schema extends EndpointSchema = EndpointSchema> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: `/api/v1/${string}`
  config: {
    access: Access
    /** How long the console waits for the answer. */
    timeout_ms?: number
    content_type?: 'multipart/form-data'
    /** One of few calls that run at the same time; when too many wait already, it is refused before its body is read. */
    is_import?: true
    /** The answer is a file of one of these types, not JSON. */
    answers?: readonly string[]
  }
  /** Never set: it tells the compiler which schema belongs to this endpoint. */
  types?: Schema
}

/** What a call that lists rows by page takes and answers. */
export type PageSchema<Row, List> = {
  summary: string
  querystring: z.ZodType<ListQuery<List>>
  response: { 200: z.ZodType<Page<Row>> }
}

/** A call that lists rows by page, and what its list can be searched, sorted and filtered by. */
export type ListEndpoint<Schema extends EndpointSchema, List extends ListOptions> = Endpoint<Schema> & { list: List }
