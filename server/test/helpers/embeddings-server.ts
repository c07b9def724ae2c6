import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { lexicalVector } from '../../src/adapters/embeddings/lexical.ts'

export const REMOTE_MODEL = 'remote-small'

export type Asked = { model: string; input: string[]; encoding_format: string }
type Handler = (response: ServerResponse, asked: Asked, request: IncomingMessage) => unknown

/** A server with OpenAI's call for embeddings, on loopback, that a test may have misbehave. */
export async function startEmbeddingsServer() {
  const asked: Asked[] = []
  const embeddingsServer = {
    url: '',
    /** Every request, as it came. */
    asked,
    /** How requests are answered from now on. */
    handler: answerWell as Handler,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as Asked
    asked.push(body)
    await embeddingsServer.handler(response, body, request)
  }
  const server = createServer((request, response) => {
    // A caller that is killed in the middle of its request waits for no answer.
    respond(request, response).catch((error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  embeddingsServer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return embeddingsServer
}

export type EmbeddingsServer = Awaited<ReturnType<typeof startEmbeddingsServer>>

/** Longer than 1 and in another order than asked, as a server may: the caller has to see to both. */
export function embeddingsOf({ input }: Asked) {
  return input
    .map((text, index) => ({
      object: 'embedding',
      index,
      embedding: [...lexicalVector(text)].map((value) => value * 3),
    }))
    .reverse()
}

export function answerWell(response: ServerResponse, asked: Asked) {
  answerJson(response, 200, { object: 'list', model: asked.model, data: embeddingsOf(asked) })
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Holds the next request up: `begun` once it has come, answered when `release` is called. */
export function holdUp(server: EmbeddingsServer) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const begun = new Promise<void>((resolve) => {
    server.handler = async (response, asked) => {
      resolve()
      await released
      server.handler = answerWell
      answerWell(response, asked)
    }
  })
  return { begun, release }
}
