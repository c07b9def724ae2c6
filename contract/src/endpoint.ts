import type { z } from 'zod'

/** Who may call: everyone, a signed-in workspace admin (and any super admin), or super admins alone. */
export type Access = 'public' | 'workspace_admin' | 'super_admin'

/** A call of the API: a server route without its handler. */
export type Endpoint = {
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
  schema: {
    summary: string
    params?: z.ZodType
    querystring?: z.ZodType
    headers?: z.ZodType
    body?: z.ZodType
    /** Exactly one entry: the status and body of success. Failures are always `ErrorBody`. */
    response: Record<number, z.ZodType>
  }
}
