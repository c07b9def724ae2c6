import type { Access } from '@watchdesk/contract/endpoint'
import { ErrorBody } from '@watchdesk/contract/errors.schema'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { z } from 'zod'
import { oncePerSchema } from './contract.ts'
import { storedFile } from './stored-file.ts'

export type OpenapiDocument = ReturnType<typeof emptyDocument>
type Operation = ReturnType<typeof operation>

const FAILURES: Record<string, string> = {
  400: 'The request is malformed',
  401: 'You are not signed in, or your session has ended',
  403: 'You are not allowed to do this',
  404: 'The record does not exist, or you have no access to it',
  409: 'The change conflicts with other data',
  412: 'The record has changed since you read it',
  413: 'The request is too large',
  415: 'The content type is not accepted',
  422: 'A field is missing, unknown or invalid',
  423: 'Somebody is changing many records, and this would have to wait for it. Try again in a moment',
  429: 'Too many requests. Wait for as long as the Retry-After header says',
  431: 'The address or the headers of the request are too long',
  503: 'The server cannot do this right now. Try again later',
}

const AUDIENCES: Record<Access, string> = {
  public: 'Needs no token.',
  signing_in: 'Finishes a sign-in: send the `sign_in_token` as a bearer token.',
  account: 'For everyone who is signed in, about their own account. Tokens cannot call it.',
  workspace_admin: 'For super admins, and for workspace admins in their own workspace.',
  super_admin: 'For super admins. Auditors may call it if it changes nothing.',
}

const DESCRIPTION = `The API of the Watchdesk console. Scripts send a token, which you create in the console under Account, as a
bearer token with every call. The console signs in with \`POST /api/v1/login\` and sends the \`access_token\` instead. A failed call returns \`{"detail": …}\`: a sentence or, with status 422, a list of the
invalid fields.`

/** Groups of calls that are not named after their address. */
const TAGS: Record<string, string> = {
  login: 'session',
  logout: 'session',
  powerbi_dashboards: 'dashboards',
  airflow: 'narratives vectorization',
  narratives: 'narratives vectorization',
}

export function serveOpenapi(app: FastifyInstance) {
  const document = emptyDocument()
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/api/v1/')) return
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    document.paths[path] = { ...document.paths[path], [String(route.method).toLowerCase()]: operation(route) }
  })
  const file = storedFile('application/json; charset=utf-8', 'no-cache', () => Buffer.from(JSON.stringify(document)))
  app.get('/api/openapi.json', { config: { access: 'public' } }, file)
}

function emptyDocument() {
  return {
    openapi: '3.1.0',
    info: { title: 'Watchdesk', version: '1', description: DESCRIPTION },
    paths: {} as Record<string, Record<string, Operation>>,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { ErrorBody: outputSchema(ErrorBody) },
    },
  }
}

function operation(route: RouteOptions) {
  const schema = (route.schema ?? {}) as Record<string, z.ZodType> & { summary: string }
  const access = route.config?.access ?? 'super_admin'
  const responses = Object.fromEntries(
    Object.entries(schema.response ?? {}).map(([status, type]) => [
      status,
      success(type, route.config?.response_types),
    ]),
  )
  const places = { path: schema.params, query: schema.querystring, header: schema.headers }
  const inputs = Object.entries(places).flatMap(([place, type]) => parameters(place, type))
  return {
    summary: schema.summary,
    tags: [tagOf(route.url)],
    description: AUDIENCES[access],
    parameters: inputs,
    ...(schema.body && { requestBody: requestBody(schema.body, route.config?.content_type) }),
    responses: { ...responses, ...failures(route, inputs) },
    security: access === 'public' ? [] : [{ token: [] }],
    'x-access': access,
    ...(route.config?.is_read && { 'x-read': true }),
    ...(route.config?.needs_recent_sign_in && { 'x-recent-sign-in': true }),
  }
}

function requestBody(body: z.ZodType, contentType = 'application/json') {
  return {
    required: !(body instanceof z.ZodOptional || body instanceof z.ZodPrefault),
    content: { [contentType]: { schema: inputSchema(body) } },
  }
}

/** `/api/v1/stories-import/from-file` belongs to 'stories import'. */
function tagOf(url: string) {
  const segment = url.split('/')[3] ?? ''
  return TAGS[segment] ?? segment.replace(/[_-]/g, ' ')
}

function success(type: z.ZodType, files: readonly string[] = []) {
  if (type instanceof z.ZodVoid) return { description: 'Success. The response has no body' }
  if (files.length > 0) {
    const file = { schema: { type: 'string', format: 'binary' } }
    return { description: 'The file', content: Object.fromEntries(files.map((name) => [name, file])) }
  }
  const { description = '', ...schema } = outputSchema(type)
  return { description, content: { 'application/json': { schema } } }
}

/** Most reads cannot conflict with other data or changes, and only calls with If-Match compare versions. */
function failures({ method, config }: RouteOptions, inputs: { name: string }[]) {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } }
  const isChange = method !== 'GET'
  const isPossible: Record<string, boolean> = {
    409: isChange || config?.may_conflict === true,
    412: inputs.some(({ name }) => name === 'if-match'),
    413: isChange,
    415: isChange,
    423: isChange || config?.response_types !== undefined,
  }
  const entries = Object.entries(FAILURES).filter(([status]) => isPossible[status] ?? true)
  return Object.fromEntries(entries.map(([status, description]) => [status, { description, content }]))
}

/** Parameters arrive as text; their schemas describe the parsed values. */
function parameters(place: string, type: z.ZodType | undefined) {
  if (!type) return []
  const { properties = {}, required = [] } = outputSchema(type) as {
    properties?: Record<string, { description?: string; examples?: unknown[] }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    description,
    example: examples?.[0],
    schema,
  }))
}

const inputSchema = oncePerSchema((type) => jsonSchema(type, 'input'))
const outputSchema = oncePerSchema((type) => jsonSchema(type, 'output'))

function jsonSchema(type: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any', override: removeNumericLimits })
  return schema
}

/** The limits of JavaScript's integers are of no use to a reader, who would also find them in examples. */
function removeNumericLimits({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
