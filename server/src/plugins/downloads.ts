import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { interrupted } from '../problem.ts'
import type { Semaphores } from '../semaphore.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on calls whose response is a file: reads a part of it. Waits for the parts of other downloads. */
    readPart<Part>(read: () => Promise<Part>): Promise<Part>
  }
}

/** A download waits before each of its parts: all of them make progress, and one with a slow client delays no other. */
export function limitDownloads(app: FastifyInstance, { downloadParts }: Pick<Semaphores, 'downloadParts'>) {
  app.decorateRequest('readPart')
  app.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.response_types) {
      const signal = untilClosed(reply.raw)
      request.readPart = (read) => downloadParts.run(read, { key: request.actor.id, signal })
    }
    done()
  })
}

/** Aborts when the client leaves. The signal of the request aborts as soon as its body has been read. */
export function untilClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(interrupted())
  // If the client has already left, no further event says so.
  if (response.destroyed) abort()
  else response.once('close', abort)
  return controller.signal
}
