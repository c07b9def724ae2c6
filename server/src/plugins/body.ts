import { isUtf8 } from 'node:buffer'
import { JSON_DEPTH } from '@watchdesk/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

const JSON_IN_UTF8 = /^application\/json\s*(;\s*charset\s*=\s*("utf-8"|utf-8)\s*)?$/i

/** Other sites cannot send exactly this content type without CORS. */
export function acceptJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const refusal = refusalUnlessJson(request)
    if (refusal) return done(refusal)
    // Many clients send the content type with every call, also without a body.
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) return done(null)
    if (!isUtf8(body)) return done(new Problem(400, 'The body is not valid UTF-8.'))
    // Brackets take the parser twenty times as long as other bytes.
    if (depthOf(body) > JSON_DEPTH)
      return done(new Problem(400, `The body is nested more than ${JSON_DEPTH} levels deep.`))
    return parse(request, body.toString(), done)
  })
}

export function refusalUnlessJson(request: FastifyRequest) {
  if (isPlain(request, JSON_IN_UTF8)) return null
  return new Problem(415, 'This request accepts application/json in UTF-8, uncompressed.')
}

/** Whether the body is uncompressed and has exactly one content type, such as this one. */
export function isPlain({ headers, raw }: FastifyRequest, type: RegExp) {
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0)
  const isAnnouncedOnce = names.filter((name) => name.toLowerCase() === 'content-type').length === 1
  const isUncompressed = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  return isAnnouncedOnce && isUncompressed && type.test(headers['content-type'] ?? '')
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125]

function depthOf(body: Buffer) {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < body.length && deepest <= JSON_DEPTH; at += 1) {
    const byte = body[at]
    if (byte === BACKSLASH) at += 1
    else if (byte === QUOTE) isText = !isText
    else if (isText) continue
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
  }
  return deepest
}
