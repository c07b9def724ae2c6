import type { FastifyInstance } from 'fastify'

/** One line for each answer, with the id that the answer carries too. The query is left out: people search for names. */
export function logRequests(app: FastifyInstance) {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info({
      method: request.method,
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user_id: request.actor?.id,
      ip: request.ip,
    })
  })
}

/** Of an error, what leads to its cause. PostgreSQL's own details quote the row that failed, password hash and all. */
export function loggedError(error: unknown) {
  const { name, message, stack, code, table, constraint } = Object(error)
  return { type: name, message, stack, code, table, constraint }
}
