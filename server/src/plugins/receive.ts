import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { diskFull, interrupted, Problem, unavailable } from '../problem.ts'
import { refusalUnlessJson } from './body.ts'
import { tooLargeBody } from './errors.ts'
import { withUploadFile } from './upload-files.ts'

export function withTemporaryFile<Result>(request: FastifyRequest, work: (path: string) => Promise<Result>) {
  return withUploadFile(request.server.uploads.dir, work).catch((error) => {
    if (!isDiskFailure(error)) throw error
    request.log.error({ err: error })
    throw unavailable(
      'The server does not have enough free disk space for the file. Try again later, or contact your administrator.',
      60,
    )
  })
}

/** The disk is full or fails, or the folder of uploads cannot be used. */
function isDiskFailure({ code = '', syscall }: NodeJS.ErrnoException) {
  return ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS'].includes(code) || syscall === 'mkdir' || syscall === 'open'
}

export async function receiveInto(
  request: FastifyRequest,
  path: string,
  chunks: AsyncIterable<Buffer>,
  { limit, tooLarge }: { limit: number; tooLarge: Problem },
) {
  const hash = createHash('sha256')
  let bytes = 0
  let start = Buffer.alloc(0)
  const target = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > limit) throw tooLarge
      if (request.server.diskSpace?.isLow) throw diskFull()
      if (start.length < 8) start = Buffer.concat([start, chunk.subarray(0, 8)])
      hash.update(chunk)
      await target.writeFile(chunk)
    }
  } finally {
    await target.close()
  }
  return { bytes, start, sha256: hash.digest() }
}

/** For calls with large JSON bodies: the handler receives the body with `withBody`, and nothing is parsed before. */
export function acceptJsonAsStream(app: FastifyInstance) {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', (request, payload, done) => done(refusalUnlessJson(request), payload))
}

export async function withBody<Result>(
  request: FastifyRequest,
  work: (file: { path: string; sha256: Buffer }) => Promise<Result>,
): Promise<Result> {
  const limit = request.routeOptions.bodyLimit
  const tooLarge = tooLargeBody(request)
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge
  return withTemporaryFile(request, async (path) => {
    const body = request.body instanceof Readable ? request.body : Readable.from([])
    // Destroying the stream would also destroy the response.
    const source: AsyncIterable<Buffer> = body.iterator({ destroyOnReturn: false })
    const { sha256 } = await receiveInto(request, path, source, { limit, tooLarge }).catch((error: unknown) => {
      throw request.raw.destroyed && !(error instanceof Problem) ? interrupted() : error
    })
    return work({ path, sha256 })
  })
}
