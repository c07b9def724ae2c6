import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

const JSON_IN_UTF8 = /^application\/json\s*(;\s*charset\s*=\s*("utf-8"|utf-8)\s*)?$/i

/** A body is JSON in UTF-8, uncompressed, and announced as exactly that: a page elsewhere cannot send it unasked. */
export function takeJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (!isPlainJson(request)) return done(notPlainJson())
    if (!isUtf8(body)) return done(new Problem(400, 'The body is not valid UTF-8.'))
    return parse(request, body.toString(), done)
  })
}

export function notPlainJson() {
  return new Problem(415, 'This call takes application/json in UTF-8, uncompressed.')
}

export function isPlainJson({ headers, raw }: FastifyRequest) {
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0)
  const isAnnouncedOnce = names.filter((name) => name.toLowerCase() === 'content-type').length === 1
  const isUncompressed = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  return isAnnouncedOnce && isUncompressed && JSON_IN_UTF8.test(headers['content-type'] ?? '')
}
