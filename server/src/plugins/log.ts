import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type DestinationStream, destination, pino } from 'pino'
import type { Env } from '../env.ts'

/** Lines are dropped beyond this length, so that a reader who has stopped reading does not fill the memory. */
const MAX_WAITING_BYTES = 16_000_000
const FLUSH_MS = 100
/** How long the last lines may take when the process exits. */
const LAST_MS = 2000

export type LogStream = DestinationStream
type Output = ReturnType<typeof openLog>

/** The standard output. Lines are written together and not while a request waits; the rest follows when the process exits. */
export function openLog() {
  const log = destination({ sync: false, minLength: 4096, periodicFlush: FLUSH_MS, maxLength: MAX_WAITING_BYTES })
  // Without a listener, a full disk under the log would end the server. The lines wait until they can be written.
  log.once('error', ({ message }) => console.error(`The log cannot be written: ${message}`))
  log.on('error', () => {})
  return log
}

/** Exits after the last lines of the log, or without them if they cannot be written: pino would try forever. */
export async function exitAfterLog(log: Output, code: number) {
  if (!(await Promise.race([writeRest(log), wait(LAST_MS)]))) log.flushSync = () => {}
  process.exit(code)
}

/** While lines are being written, a flush waits for these only; the second one then writes those that came after them. */
async function writeRest(log: Output) {
  const flush = () =>
    new Promise<boolean>((resolve) => {
      // Pipes cannot be synchronized, which is what EINVAL says.
      log.flush((error?: NodeJS.ErrnoException) => resolve(!error || error.code === 'EINVAL'))
    })
  return (await flush()) && (await flush())
}

export function createLog({ LOG_LEVEL }: Pick<Env, 'LOG_LEVEL'>, stream?: LogStream): FastifyBaseLogger {
  const options = { level: LOG_LEVEL, redact: ['req.headers.authorization'], serializers: { err: loggedError } }
  return pino(options, stream)
}

/** The query is left out, because it can contain names. */
export function logRequests(app: FastifyInstance) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info({
      method: request.method,
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user_id: request.actor?.id,
      ip: request.ip,
    })
    done()
  })
}

/** Without PostgreSQL's details, which contain the failed row, including password hashes. */
export function loggedError(error: unknown) {
  const { name, message, stack, code, table, constraint } = Object(error)
  return { type: name, message, stack, code, table, constraint }
}
