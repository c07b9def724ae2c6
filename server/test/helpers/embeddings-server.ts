import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { lexicalVector } from '../../src/adapters/embeddings/lexical.ts'
import { close, listen } from './loopback.ts'

export const REMOTE_MODEL = 'remote-small'

export type Asked = { model: string; input: string[]; encoding_format: string }
type Handler = (response: ServerResponse, asked: Asked, request: IncomingMessage) => unknown

/** A fake OpenAI embeddings server on loopback, which tests can make misbehave. */
export async function startEmbeddingsServer() {
  const asked: Asked[] = []
  const embeddingsServer = {
    url: '',
    /** Every request received. */
    asked,
    /** Sets how requests are answered from now on. */
    handler: respondWithVectors as Handler,
    stop: () => close(server),
  }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as Asked
    asked.push(body)
    await embeddingsServer.handler(response, body, request)
  }
  const server = createServer((request, response) => {
    // The caller may be killed in the middle of a request.
    respond(request, response).catch((error) => response.destroy(error))
  })
  embeddingsServer.url = await listen(server)
  return embeddingsServer
}

export type EmbeddingsServer = Awaited<ReturnType<typeof startEmbeddingsServer>>

/** Not normalized and in another order than requested, which the API allows and the client must handle. */
export function embeddingsOf({ input }: Asked) {
  return input
    .map((text, index) => ({
      object: 'embedding',
      index,
      embedding: [...lexicalVector(text)].map((value) => value * 3),
    }))
    .reverse()
}

export function respondWithVectors(response: ServerResponse, asked: Asked) {
  respondWithJson(response, 200, { object: 'list', model: asked.model, data: embeddingsOf(asked) })
}

export function respondWithJson(response: ServerResponse, status: number, body: unknown, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Holds the next request: `begun` resolves when it has arrived, and it is answered after `release`. */
export function holdUp(server: EmbeddingsServer) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const begun = new Promise<void>((resolve) => {
    server.handler = async (response, asked) => {
      resolve()
      await released
      server.handler = respondWithVectors
      respondWithVectors(response, asked)
    }
  })
  return { begun, release }
}
