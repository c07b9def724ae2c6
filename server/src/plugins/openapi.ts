import type { Access } from '@watchdesk/contract/endpoint'
import { ErrorBody } from '@watchdesk/contract/errors.schema'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { z } from 'zod'

type Operation = {
  summary: string
  tags: string[]
  description: string
  parameters: { name: string; in: string; required: boolean; schema: unknown; description?: string }[]
  requestBody?: { required: boolean; content: Record<string, { schema: unknown }> }
  responses: Record<string, unknown>
  security: unknown[]
  'x-access': Access
}

export type OpenapiDocument = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: unknown
}

const FAILURES: Record<string, string> = {
  400: 'Malformed request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflicts with existing data',
  412: 'Changed by someone else since it was read',
  413: 'Too large',
  415: 'Content type not accepted',
  422: 'A field is missing, unknown or wrong',
  429: 'Too many requests',
  503: 'Try again later',
}

const AUDIENCES: Record<Access, string> = {
  public: 'For everybody.',
  workspace_admin: 'For workspace admins of their own workspace, and super admins.',
  super_admin: 'For super admins.',
}

/** The contract of every registered route, as OpenAPI. */
export function serveOpenapi(app: FastifyInstance) {
  const document = emptyDocument()
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/api/v1/')) return
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    document.paths[path] = { ...document.paths[path], [String(route.method).toLowerCase()]: operation(route) }
  })
  app.get('/api/openapi.json', { config: { access: 'public' } }, async () => document)
}

function emptyDocument(): OpenapiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'Watchdesk', version: '1', description: 'The API behind the Watchdesk console.' },
    paths: {},
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { ErrorBody: z.toJSONSchema(ErrorBody) },
    },
  }
}

function operation(route: RouteOptions): Operation {
  const schema = (route.schema ?? {}) as Record<string, z.ZodType> & { summary: string }
  const access = route.config?.access ?? 'super_admin'
  const responses = Object.fromEntries(
    Object.entries(schema.response ?? {}).map(([status, type]) => [status, success(type, route.config?.answers)]),
  )
  return {
    summary: schema.summary,
    tags: [route.url.split('/')[3] ?? ''],
    description: AUDIENCES[access],
    parameters: [
      ...parameters('path', schema.params),
      ...parameters('query', schema.querystring),
      ...parameters('header', schema.headers),
    ],
    ...(schema.body && { requestBody: requestBody(schema.body, route.config?.content_type) }),
    responses: { ...responses, ...failures() },
    security: access === 'public' ? [] : [{ token: [] }],
    'x-access': access,
  }
}

function requestBody(body: z.ZodType, contentType = 'application/json') {
  return { required: true, content: { [contentType]: { schema: jsonSchema(body, 'input') } } }
}

function success(type: z.ZodType, files: readonly string[] = []) {
  if (type instanceof z.ZodVoid) return { description: 'Done' }
  if (files.length > 0) {
    const file = { schema: { type: 'string', format: 'binary' } }
    return { description: 'A file', content: Object.fromEntries(files.map((name) => [name, file])) }
  }
  return { description: 'Done', content: { 'application/json': { schema: jsonSchema(type, 'output') } } }
}

function failures() {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } }
  return Object.fromEntries(Object.entries(FAILURES).map(([status, description]) => [status, { description, content }]))
}

/** What a path or query takes is text; the schema behind it says which number or list is meant. */
function parameters(place: string, type: z.ZodType | undefined) {
  if (!type) return []
  const { properties = {}, required = [] } = jsonSchema(type, 'output') as {
    properties?: Record<string, object>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }))
}

function jsonSchema(type: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return schema
}
