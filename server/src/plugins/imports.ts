import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { type Semaphores, tooManyImports } from '../semaphore.ts'
import { tooLargeBody } from './errors.ts'

/** What an admitted call may use. */
type ImportSlot = {
  /** Waits for the semaphore. A call with a slot is never rejected. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Releases the slot, once its work has ended. */
  leave(): void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on calls whose endpoint has `needs_slot`. */
    slot: ImportSlot
  }
}

/**
 * Imports, exports and uploads get a slot before their body is read, or a 503. A client that sends
 * `Expect: 100-continue` is asked for its body only after every check that does not need it.
 */
export function admitImports(app: FastifyInstance, { importCalls, imports }: Semaphores) {
  app.decorateRequest('slot')
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response)
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!request.routeOptions.config.needs_slot && request.headers.expect === undefined) return done(null, payload)
    prepare(request, reply).then(() => done(null, payload), done)
  })
  app.addHook('onResponse', ({ slot }, _reply, done) => {
    slot?.leave()
    done()
  })

  async function prepare(request: FastifyRequest, reply: FastifyReply) {
    if (request.routeOptions.config.needs_slot) {
      const slot = createSlot(await importCalls.acquire())
      request.slot = slot
      reply.raw.once('close', slot.leave)
      // If the client has already disconnected, no further event would release the slot.
      if (reply.raw.destroyed) {
        slot.leave()
        throw new Problem(400, 'The request was interrupted.')
      }
    }
    if (request.headers.expect === undefined) return
    // A form has its own limit, which was checked before.
    const isForm = request.routeOptions.config.content_type === 'multipart/form-data'
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > request.routeOptions.bodyLimit
    if (isTooLarge && !isForm) throw tooLargeBody(request)
    reply.raw.writeContinue()
  }

  function createSlot(release: () => void): ImportSlot {
    let holders = 1
    let hasLeft = false
    function drop() {
      holders -= 1
      if (holders === 0) release()
    }
    return {
      async run(work) {
        if (holders === 0) throw tooManyImports()
        holders += 1
        return imports.run(work).finally(drop)
      },
      leave() {
        if (!hasLeft) drop()
        hasLeft = true
      },
    }
  }
}
