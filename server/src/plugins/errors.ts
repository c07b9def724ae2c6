import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FieldError } from '@watchdesk/contract/errors'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AirflowError } from '../adapters/airflow/error.ts'
import { EmbeddingsError } from '../adapters/embeddings/openai.ts'
import { databaseFailure, databaseProblem } from '../db/errors.ts'
import { diskFull, Problem, unavailable } from '../problem.ts'
import { SECURITY_HEADERS } from './security.ts'
import { REQUEST_TIMEOUT } from './slow-senders.ts'

export function handleErrors(app: FastifyInstance) {
  app.setErrorHandler<FastifyError>(respond)
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ detail: 'Not found.' }))
  app.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    const isMissing = headers.host === undefined && raw.httpVersion === '1.1'
    done(isMissing ? new Problem(400, 'The Host header is missing.') : undefined)
  })
}

function respond(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const problem = asProblem(error, request)
  // Our own refusals are not errors: a full queue would fill the log with stack traces.
  if (error instanceof Problem && problem.status === 503) request.log.warn(problem.message)
  else if (problem.status >= 500) request.log.error({ err: error })
  // Closing the connection while the client is still sending would lose the response: see `plugins/upload.ts`.
  if (problem.status === 413) reply.removeHeader('connection')
  return reply.code(problem.status).headers(problem.headers).send({ detail: problem.detail })
}

/** A URL that cannot be routed: the hooks that set the headers of every other response do not run. */
export function handleUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id })
  respond(error, request, reply)
}

const UNEXPECTED = 'Something went wrong on the server. Try again. If it happens again, contact your administrator.'

const CLIENT_ERRORS: Record<string, [status: number, detail: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'This request does not accept that content type.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'The body is empty, but the Content-Type is JSON.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'The length of the body does not match its Content-Length.'],
  FST_ERR_BAD_URL: [400, 'The address is malformed.'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'The address is too long.'],
}

function asProblem(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLargeBody(request)
  if (error instanceof AirflowError)
    return error.isTemporary ? unavailable(error.message) : new Problem(502, error.message)
  if (error instanceof EmbeddingsError) return new Problem(502, error.message)
  const known = CLIENT_ERRORS[error.code]
  if (known) return new Problem(...known)
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Problem(error.statusCode, 'The request is malformed.')
  }
  const failure = databaseFailure(error)
  const { diskSpace } = request.server
  // While disk space is low, `db/disk-space.ts` cancels writes; by the time of the response there may be enough again.
  if (failure && diskSpace && (diskSpace.isLow || failure === 'cancelled')) return diskFull()
  if (failure) return databaseProblem(failure)
  return new Problem(500, UNEXPECTED)
}

export function tooLargeBody({ routeOptions }: FastifyRequest) {
  const limit = (routeOptions.bodyLimit ?? 0).toLocaleString('en')
  return new Problem(413, `The body is larger than the limit of ${limit} bytes.`)
}

const PARTS: Record<string, string> = { querystring: 'query', params: 'path', headers: 'header' }
/** A body of 64 MB can have millions of errors, and nobody reads more than these. */
const MAX_LISTED = 100

export function validated<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(body)
  if (error) throw new Problem(422, fieldErrors('body', error.issues))
  return data
}

/** zod's issues as FastAPI words them: where, what, and of which kind. */
export function fieldErrors(part: string, issues: z.core.$ZodIssue[]): FieldError[] {
  const listed = issues.slice(0, MAX_LISTED).flatMap((issue) => {
    const inner = innerIssues(issue)
    if (inner) return fieldErrors(part, inner)
    const loc = [PARTS[part] ?? part, ...issue.path.map((key) => (typeof key === 'symbol' ? key.toString() : key))]
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, MAX_LISTED).map((key) => ({
        loc: [...loc, key],
        msg: `${key} is not a known field.`,
        type: 'unknown_field',
      }))
    }
    const field = issue.path.filter((key) => typeof key === 'string').join('.')
    // zod's own messages do not name the field; ours do.
    const msg =
      field && /^(Invalid|Too |Must|At most)/.test(issue.message) ? `${field}: ${issue.message}` : issue.message
    return [{ loc, msg, type: issue.code === 'custom' ? 'value_error' : issue.code }]
  })
  return listed.slice(0, MAX_LISTED)
}

/** What is wrong inside a value that matches one of several types on the outside, such as an entry of a list. */
function innerIssues(issue: z.core.$ZodIssue) {
  if (issue.code !== 'invalid_union') return undefined
  const option = issue.errors.find((issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0))
  return option?.map((each) => ({ ...each, path: [...issue.path, ...each.path] }))
}

const LINGER_MS = 1000

const MALFORMED: Record<string, [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too long.'],
  [REQUEST_TIMEOUT]: ['408 Request Timeout', 'The request took too long to arrive.'],
}

/** Answers requests that are not valid HTTP, which never reach a route. */
export function handleMalformed(this: unknown, error: NodeJS.ErrnoException, socket: Socket) {
  if (!socket.writable) return socket.destroy()
  const [status, detail] = MALFORMED[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.']
  const body = JSON.stringify({ detail })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    connection: 'close',
    'x-request-id': randomUUID(),
    ...SECURITY_HEADERS,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  // Closed while data still arrives, the response might be lost; never closed, a client could stay connected forever.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}
