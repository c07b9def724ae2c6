import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Endpoint, EndpointSchema } from '@watchdesk/contract/endpoint'
import { listen } from '../free-port.ts'
import { sendFile } from '../other-backend.ts'

const CONSOLE = new URL('../../console/gallery/dist/', import.meta.url)

type Types<S> = S extends { '~standard': { types?: infer T } } ? NonNullable<T> : never
type Input<S> = Types<S> extends { input: infer T } ? T : never
/** What the contract says that the endpoint responds. */
type Body<S extends EndpointSchema> = Input<S['response'][keyof S['response']]>
type Sent<S extends EndpointSchema> = S extends { body: infer B } ? Input<B> : undefined

export type Call<Content = unknown> = {
  params: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string | string[] | undefined>
  /** The JSON of the body, or its text. */
  body: Content
}

type Respond = (call: Call) => unknown

type Known = { endpoint: Endpoint; schema: EndpointSchema; pattern: RegExp }

/**
 * A server that answers what a test says, and serves the built console. Successful answers must be what the contract
 * says, so that they cannot differ from those of the real server.
 */
export type Backend = {
  url: string
  /** Answers with a body, or with what the function returns for a call. */
  answer: <S extends EndpointSchema>(
    endpoint: Endpoint<S>,
    body: Body<S> | ((call: Call<Sent<S>>) => Body<S> | Raw | Promise<Body<S> | Raw>),
  ) => void
  /** Answers with an error, or with any other response: a detail becomes `{ detail }`. */
  refuse: (endpoint: Endpoint, status: number, detail?: unknown, headers?: Record<string, string>) => void
  /** Answers as another backend may: with this body, whatever the contract says. A text is not sent as JSON. */
  raw: (endpoint: Endpoint, status: number, body?: unknown, headers?: Record<string, string>) => void
  /** Cuts the connection. */
  cutOff: (endpoint: Endpoint) => void
  /** Holds the answers back until the returned function is called. */
  hold: (endpoint: Endpoint) => () => void
  /** The calls so far, in order. */
  calls: <S extends EndpointSchema>(endpoint: Endpoint<S>) => Call<Sent<S>>[]
  /** Forgets answers and calls, and ignores what a page of an earlier test, with another token, still calls. */
  reset: (token?: string) => void
  /** What the test should have answered, or answered wrongly. */
  mistakes: string[]
  stop: () => Promise<void>
}

const CUT_OFF = Symbol('cut off')

export async function startBackend(): Promise<Backend> {
  const known = await readContract()
  const answers = new Map<string, Respond>()
  const held = new Map<string, Promise<void>>()
  const received: { key: string; call: Call }[] = []
  const mistakes: string[] = []
  const earlier = new Set<string>()
  let current = ''

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://backend')
    if (!pathname.startsWith('/api/')) return sendFile(CONSOLE, pathname, response)
    if (earlier.has(request.headers.authorization ?? '')) return response.destroy()
    const text = Buffer.concat(await request.toArray()).toString()
    const name = `${request.method} ${pathname}`
    const { endpoint, schema, pattern } = find(known, request.method, pathname) ?? {}
    if (!endpoint || !schema || !pattern) {
      mistakes.push(`${name}: not in the contract`)
      return send(response, 404, { detail: 'Not Found' })
    }
    const params = { ...pattern.exec(pathname)?.groups }
    const call: Call = { params, query: Object.fromEntries(searchParams), headers: request.headers, body: parse(text) }
    const key = keyOf(endpoint)
    received.push({ key, call })
    await held.get(key)
    const answer = answers.get(key)
    if (!answer) {
      mistakes.push(`${name}: the test does not say what to answer`)
      return send(response, 404, { detail: 'Not Found' })
    }
    const given = await answer(call)
    if (given === CUT_OFF) return response.destroy()
    if (given instanceof Raw) return send(response, given.status, given.body, given.headers)
    const [[status, expected] = ['200', undefined]] = Object.entries(schema.response)
    const checked = endpoint.config.response_types ? undefined : expected?.safeParse(given)
    if (checked?.error) mistakes.push(`${name}: the answer is not what the contract says: ${checked.error.message}`)
    send(response, Number(status), given)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error) => {
      // The page may cancel a call.
      if (!request.errored) mistakes.push(String(error))
      response.destroy()
    })
  })
  const on = (endpoint: Endpoint, answer: Respond) => answers.set(keyOf(endpoint), answer)
  return {
    ...(await listen(server)),
    answer: (endpoint, body) => on(endpoint, typeof body === 'function' ? (body as Respond) : () => body),
    refuse: (endpoint, status, detail, headers) => on(endpoint, () => new Refusal(status, detail, headers)),
    raw: (endpoint, status, body, headers) => on(endpoint, () => new Raw(status, body, headers)),
    cutOff: (endpoint) => on(endpoint, () => CUT_OFF),
    hold: (endpoint) => {
      let release = () => {}
      held.set(keyOf(endpoint), new Promise((resolve) => (release = resolve)))
      return () => {
        held.delete(keyOf(endpoint))
        release()
      }
    },
    calls: (endpoint) => received.filter(({ key }) => key === keyOf(endpoint)).map(({ call }) => call as Call<never>),
    reset: (token = current) => {
      earlier.add(`Bearer ${current}`)
      earlier.delete(`Bearer ${token}`)
      current = token
      for (const part of [answers, held]) part.clear()
      for (const part of [received, mistakes]) part.length = 0
    },
    mistakes,
  }
}

/** Any response. The function of an answer may return it too. */
export class Raw {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>
  constructor(status: number, body?: unknown, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** A response that is not a success. */
export class Refusal extends Raw {
  constructor(status: number, detail?: unknown, headers?: Record<string, string>) {
    super(status, detail === undefined ? undefined : { detail }, headers)
  }
}

function keyOf({ method, url }: Pick<Endpoint, 'method' | 'url'>) {
  return `${method} ${url}`
}

/** Addresses without parameters come first: `/users/me` before `/users/:id`. */
function find(known: Known[], method: string | undefined, pathname: string) {
  return known.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(pathname))
}

async function readContract(): Promise<Known[]> {
  const files = readdirSync(new URL('../../contract/dist/', import.meta.url), { encoding: 'utf8', recursive: true })
  const names = files.flatMap((file) => /^([\w/-]+)\.schema\.js$/.exec(file)?.[1] ?? [])
  const known: Known[] = []
  for (const name of names.filter((one) => files.includes(`${one}.js`))) {
    const endpoints: Record<string, Endpoint> = await import(`@watchdesk/contract/${name}`)
    const schemas: Record<string, EndpointSchema> = await import(`@watchdesk/contract/${name}.schema`)
    for (const [key, endpoint] of Object.entries(endpoints)) {
      const schema = schemas[key]
      if (!schema || endpoint.url === undefined) continue
      known.push({ endpoint, schema, pattern: new RegExp(`^${endpoint.url.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`) })
    }
  }
  const parameters = ({ endpoint }: Known) => endpoint.url.split(':').length
  return known.sort((a, b) => parameters(a) - parameters(b))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
  response.end(body === undefined || status === 204 || isText ? body : JSON.stringify(body))
}
