import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Endpoint, EndpointConfig } from '@watchdesk/contract/endpoint'
import fastJson from 'fast-json-stringify'
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifySchema,
  FastifySchemaCompiler,
  FastifyTypeProvider,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify'
import { z } from 'zod'
import { Problem } from '../problem.ts'
import { fieldErrors } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig extends EndpointConfig {
    /** The handler reads and validates the body itself. */
    is_streamed?: true
    status?: number
  }
}

export interface ZodTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown
}

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

type SchemaOf<One> = One extends Endpoint<infer Schema> ? Schema : never
type Schemas<Endpoints> = {
  [Name in keyof Endpoints as Endpoints[Name] extends Endpoint ? Name : never]: SchemaOf<Endpoints[Name]>
}
type Routes<Endpoints> = { [Name in keyof Schemas<Endpoints>]: Endpoint & { schema: Schemas<Endpoints>[Name] } }

/** A missing or wrong schema does not compile. */
export function withSchemas<Endpoints extends object>(endpoints: Endpoints, schemas: Schemas<Endpoints>) {
  const routes = Object.entries(endpoints).flatMap(([name, endpoint]) =>
    name in schemas ? [[name, { ...endpoint, schema: Reflect.get(schemas, name) }]] : [],
  )
  return Object.fromEntries(routes) as Routes<Endpoints>
}

type Handler<Schema> = RouteHandlerMethod<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  RouteGenericInterface,
  FastifyContextConfig,
  Schema & FastifySchema,
  ZodTypeProvider,
  FastifyBaseLogger
>
type Handlers<Endpoints> = { [Name in keyof Schemas<Endpoints>]?: Handler<Schemas<Endpoints>[Name]> }

/** Adds routes of a contract file. `server/test/endpoints.test.ts` checks that no endpoint lacks its route. */
export function addRoutes<Endpoints extends object>(
  app: App,
  endpoints: Endpoints,
  schemas: Schemas<Endpoints>,
  handlers: Handlers<Endpoints>,
) {
  const routes: object = withSchemas(endpoints, schemas)
  for (const [name, handler] of Object.entries(handlers)) app.route({ ...Reflect.get(routes, name), handler })
}

export function useContract(app: FastifyInstance) {
  app.addHook('onRoute', (route) => {
    if (!route.config?.access) throw new Error(`${route.method} ${route.url} does not state its access`)
    const [status] = Object.keys(route.schema?.response ?? {})
    if (!status && route.url.startsWith('/api/v1/')) throw new Error(`${route.method} ${route.url} has no schema`)
    if (status) route.config.status = Number(status)
    // Fastify cannot tell a missing body from null.
    const body = route.schema?.body
    if (body instanceof z.ZodOptional || body instanceof z.ZodPrefault) {
      route.preValidation = (request, _reply, done) => {
        if (request.body === undefined) request.body = {}
        done()
      }
    }
    // A form arrives as a stream: its fields are validated in `plugins/upload.ts`.
    if (route.config.content_type || route.config.is_streamed) {
      route.validatorCompiler = (part) => (part.httpPart === 'body' ? () => true : validator(part))
    }
  })

  // Hooks of every request are not async unless they wait: that would cost a turn of the queue each.
  app.addHook('onRequest', (request, reply, done) => {
    const { status } = request.routeOptions.config
    if (status) reply.code(status)
    done()
  })

  app.addHook('preSerialization', (_request, reply, payload, done) => {
    const { version } = Object(payload)
    if (typeof version === 'number') reply.header('etag', `"${version}"`)
    done(null, payload)
  })

  app.setValidatorCompiler(validator)

  // zod checks response types at compile time; at run time, a compiled serializer writes only the fields of the schema.
  app.setSerializerCompiler(({ schema }) => serializerOf(schema as unknown as z.ZodType))
}

const serializerOf = oncePerSchema((type) =>
  fastJson(z.toJSONSchema(type, { target: 'draft-7', unrepresentable: 'any' }) as fastJson.Schema),
)

/** Makes something of a schema only once: tests create many apps in a process. */
export function oncePerSchema<Result>(make: (type: z.ZodType) => Result) {
  const made = new WeakMap<z.ZodType, Result>()
  return (type: z.ZodType) => {
    const result = made.get(type) ?? make(type)
    made.set(type, result)
    return result
  }
}

const validator: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  const lists = httpPart === 'querystring' ? listsOf(schema) : []
  return (data: unknown) => {
    for (const name of lists) joinBrackets(data as Record<string, unknown>, name)
    const parsed = (schema as z.ZodType).safeParse(data)
    if (parsed.success) return { value: parsed.data }
    return { error: new Problem(422, fieldErrors(httpPart ?? 'body', parsed.error.issues)) }
  }
}

function listsOf(schema: unknown) {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.keys(schema.shape).filter((name) => (schema.shape[name] as z.ZodType).safeParse([]).success)
}

/** Some clients write the name of a list with brackets: `ids[]=1&ids[]=2`. */
function joinBrackets(query: Record<string, unknown>, name: string) {
  const given = query[`${name}[]`]
  if (given === undefined) return
  query[name] = [query[name] ?? [], given].flat()
  delete query[`${name}[]`]
}
