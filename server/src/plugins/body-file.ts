import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { isPlainJson, notPlainJson } from './body.ts'
import { tooLargeBody } from './errors.ts'
import { receiveInto, withTemporaryFile } from './receive.ts'

/** For calls with large JSON bodies: the handler receives the body with `withBody`, and nothing is parsed before. */
export function takeJsonAsStream(app: FastifyInstance) {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', (request, payload, done) => {
    if (isPlainJson(request)) done(null, payload)
    else done(notPlainJson())
  })
}

/** Receives the body into a temporary file, which is deleted when the work has ended. */
export function withBody<Result>(
  request: FastifyRequest,
  work: (file: { path: string; sha256: Buffer }) => Promise<Result>,
): Promise<Result> {
  const bytes = request.routeOptions.bodyLimit
  const exceeded = () => tooLargeBody(request)
  if (Number(request.headers['content-length'] ?? 0) > bytes) throw exceeded()
  return withTemporaryFile(request, async (path) => {
    const body = request.body instanceof Readable ? request.body : Readable.from([])
    // Destroying the stream would also destroy the response.
    const source: AsyncIterable<Buffer> = body.iterator({ destroyOnReturn: false })
    const { sha256 } = await receiveInto(request, path, source, { bytes, exceeded }).catch((error: unknown) => {
      throw request.raw.destroyed && !(error instanceof Problem)
        ? new Problem(400, 'The request was interrupted.')
        : error
    })
    return work({ path, sha256 })
  })
}
