import type { z } from 'zod'
import { TIMEOUT_MS } from './limits.ts'
import type { ListOptions, ListQuery } from './list.ts'
import type { Page } from './page.ts'

/**
 * `signing_in`: someone whose sign-in still lacks its second factor. Auditors may make the calls of super admins that
 * read, and those about their own account. A token may make the calls of its owner, except those about the account.
 */
export type Access = 'public' | 'signing_in' | 'account' | 'workspace_admin' | 'super_admin'

/** The request and response schemas of an endpoint, exported under the same name from the `.schema.ts` file. */
export type EndpointSchema = {
  summary: string
  params?: z.ZodType
  querystring?: z.ZodType
  headers?: z.ZodType
  body?: z.ZodType
  /** Exactly one entry: the status and body of a successful response. Errors are always `ErrorBody`. */
  response: Record<number, z.ZodType>
}

/** An API endpoint as plain data: a server route without its schemas and handler. */
export type Endpoint<Schema extends EndpointSchema = EndpointSchema> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: `/api/v1${Path}`
  config: EndpointConfig
  /** Never set: links the endpoint to its schema for the type checker. */
  types?: Schema
}

type Path = `/${string}`

export type EndpointConfig = Options & { access: Access }

type Options = {
  /** How long the console waits for the response. */
  timeout_ms?: number
  content_type?: 'multipart/form-data'
  /** Few of these calls run at a time. Those beyond a short queue are rejected before the body is read. */
  needs_slot?: true
  /** Not a GET, but changes nothing: its input is too long for an address, or it sends requests to other sites. */
  is_read?: true
  /** A GET that can be rejected with 409, like the change that it prepares. */
  may_conflict?: true
  needs_recent_sign_in?: true
  /** Limits the calls of a user per minute. 'with_password': only those whose body has a password, which is hashed. */
  is_expensive?: true | 'with_password'
  /** The console repeats the call by itself, so it does not count as a use of the session. */
  is_polled?: true
  /** The response is a file of one of these types instead of JSON. */
  response_types?: readonly string[]
}

export const MANY_ROWS = { timeout_ms: TIMEOUT_MS.sources, needs_slot: true } as const
export const MANY_CHANGES = { timeout_ms: TIMEOUT_MS.undo, needs_slot: true } as const
export const UPLOAD = { timeout_ms: TIMEOUT_MS.stories, needs_slot: true, content_type: 'multipart/form-data' } as const

export type PageSchema<Row, List> = {
  summary: string
  querystring: z.ZodType<ListQuery<List>>
  response: { 200: z.ZodType<Page<Row>> }
}

/** Bundlers leave out the endpoints that a page does not use. */
// @__NO_SIDE_EFFECTS__
export function get<Schema extends EndpointSchema>(path: Path, access: Access, options?: Options): Endpoint<Schema> {
  return { method: 'GET', url: `/api/v1${path}`, config: { access, ...options } }
}

// @__NO_SIDE_EFFECTS__
export function getList<Schema extends EndpointSchema & { list: ListOptions }>(
  path: Path,
  access: Access,
  list: Schema['list'],
  options?: Options,
): Endpoint<Schema> & { list: Schema['list'] } {
  return { ...get<Schema>(path, access, options), list }
}

// @__NO_SIDE_EFFECTS__
export function post<Schema extends EndpointSchema>(path: Path, access: Access, options?: Options): Endpoint<Schema> {
  return { method: 'POST', url: `/api/v1${path}`, config: { access, ...options } }
}

// @__NO_SIDE_EFFECTS__
export function put<Schema extends EndpointSchema>(path: Path, access: Access, options?: Options): Endpoint<Schema> {
  return { method: 'PUT', url: `/api/v1${path}`, config: { access, ...options } }
}

// @__NO_SIDE_EFFECTS__
export function patch<Schema extends EndpointSchema>(path: Path, access: Access, options?: Options): Endpoint<Schema> {
  return { method: 'PATCH', url: `/api/v1${path}`, config: { access, ...options } }
}

// @__NO_SIDE_EFFECTS__
export function del<Schema extends EndpointSchema>(path: Path, access: Access, options?: Options): Endpoint<Schema> {
  return { method: 'DELETE', url: `/api/v1${path}`, config: { access, ...options } }
}
