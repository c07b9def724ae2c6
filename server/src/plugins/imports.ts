import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { interrupted } from '../problem.ts'
import type { Semaphores } from '../semaphore.ts'
import { tooLargeBody } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on calls whose endpoint has `needs_slot`. Their work waits here for that of others, and is refused only if the client has left. */
    slot: { run<Result>(work: () => Promise<Result>): Promise<Result> }
  }
}

/** A client that sends `Expect: 100-continue` is asked for its body after every check that does not need it. */
export function admitImports(app: FastifyInstance, { importCalls, imports }: Semaphores) {
  app.decorateRequest('slot')
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response)
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { needs_slot } = request.routeOptions.config
    if (!needs_slot && request.headers.expect === undefined) return done(null, payload)
    const admitted = needs_slot ? admit(request, reply) : Promise.resolve()
    admitted.then(() => askForBody(request, reply)).then(() => done(null, payload), done)
  })

  /** The slot is free again when the response has ended, and the work too: work that has begun goes on when the client leaves. */
  async function admit(request: FastifyRequest, reply: FastifyReply) {
    const release = await importCalls.acquire()
    let ended: Promise<unknown> = Promise.resolve()
    let hasLeft = false
    request.slot = {
      run(work) {
        if (hasLeft) return Promise.reject(interrupted())
        const result = imports.run(work)
        ended = result.catch(() => {})
        return result
      },
    }
    const leave = () => {
      hasLeft = true
      void ended.then(release)
    }
    // If the client has already left, no further event says so.
    if (!reply.raw.destroyed) return void reply.raw.once('close', leave)
    leave()
    throw interrupted()
  }
}

function askForBody(request: FastifyRequest, reply: FastifyReply) {
  if (request.headers.expect === undefined) return
  // A form has its own limit, which was checked before.
  const isForm = request.routeOptions.config.content_type === 'multipart/form-data'
  const isTooLarge = Number(request.headers['content-length'] ?? 0) > request.routeOptions.bodyLimit
  if (isTooLarge && !isForm) throw tooLargeBody(request)
  reply.raw.writeContinue()
}
