import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type AirflowResponse, type Dag, respondAs } from './airflow-api.ts'
import { close, listen } from './loopback.ts'

/** How a request fails: `after` it was processed, or instead. */
export type Fault = { kind: 'drop' | 'hang' | 'html' | 'array' | 'endless' | 'redirect' | number; after?: boolean }

export type FakeAirflow = Awaited<ReturnType<typeof startAirflow>>

/** A fake Airflow server, checked against a real one by `npm run test:airflow`. */
export async function startAirflow(version: '2' | '3') {
  const dag: Dag = { id: 'vectorize_narrative', is_paused: false, is_missing: false, runs: [] }
  const credentials = { username: 'watchdesk', password: 'canary-of-airflow' }
  const state = { version, dag, credentials, tokens: new Set<string>() }
  const airflow = {
    version,
    ...credentials,
    dagId: dag.id,
    dag,
    url: '',
    /** Every request line with its body. */
    requests: [] as { line: string; authorization: string; body: string }[],
    /** Faults for the next requests, one each; later requests succeed. */
    faults: [] as (Fault | undefined)[],
    /** A fault for every request. */
    fault: undefined as Fault | undefined,
    /** Invalidates the tokens issued so far. */
    expireTokens: () => state.tokens.clear(),
    posts: () => airflow.requests.filter(({ line }) => /^POST .*\/dagRuns$/.test(line)),
    signIns: () => airflow.requests.filter(({ line }) => line === 'POST /auth/token'),
    close: () => close(server),
  }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const { method = '', url = '', headers } = request
    const authorization = headers.authorization ?? ''
    airflow.requests.push({ line: `${method} ${url}`, authorization, body })
    const fault = airflow.fault ?? airflow.faults.shift()
    if (fault && !fault.after) return fail(fault, response)
    const result = respondAs(state, { method, url, authorization, body })
    return fault ? fail(fault, response) : send(response, result)
  }
  const server = createServer((request, response) => {
    // The caller may abort in the middle of a request.
    respond(request, response).catch((error) => response.destroy(error))
  })
  airflow.url = await listen(server)
  return airflow
}

function send(response: ServerResponse, { status, body }: AirflowResponse) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function fail({ kind }: Fault, response: ServerResponse) {
  if (kind === 'drop') return response.destroy()
  if (kind === 'html') return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>')
  if (kind === 'array') return send(response, { status: 200, body: [] })
  if (kind === 'redirect') return response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end()
  if (kind === 'endless') return sendEndlessly(response)
  if (kind !== 'hang') send(response, { status: kind, body: { detail: 'Out of order' } })
}

function sendEndlessly(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunks = function* () {
    yield '{"dag_run_id":"'
    for (;;) yield 'x'.repeat(65_536)
  }
  // Ends when the caller disconnects.
  pipeline(Readable.from(chunks()), response).catch(() => undefined)
}
