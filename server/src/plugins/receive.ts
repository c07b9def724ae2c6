import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { diskFull, Problem, unavailable } from '../problem.ts'
import { isPlainJson, notPlainJson } from './body.ts'
import { tooLargeBody } from './errors.ts'
import { makeUploadsDir, removeUpload, uploadPath } from './upload-files.ts'

const NO_SPACE: unknown[] = ['ENOSPC', 'EDQUOT']

/** Passes the path of a temporary file to the work, and removes the file afterwards. */
export async function withTemporaryFile<Result>(
  request: FastifyRequest,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const { dir } = request.server.uploads
  await makeUploadsDir(dir).catch((error) => noSpaceLeft(request, error))
  const path = uploadPath(dir)
  try {
    return await work(path)
  } catch (error) {
    if (NO_SPACE.includes(Object(error).code)) noSpaceLeft(request, error as Error)
    throw error
  } finally {
    // A file that cannot be removed must not change the response.
    await removeUpload(path).catch((error) => request.log.error({ err: error }))
  }
}

type Limit = { bytes: number; exceeded(): Problem }

/** Writes the upload to a file, up to the limit and while there is enough disk space. */
export async function receiveInto(request: FastifyRequest, path: string, chunks: AsyncIterable<Buffer>, limit: Limit) {
  const hash = createHash('sha256')
  let bytes = 0
  let start = Buffer.alloc(0)
  const target = await open(path, 'wx', 0o600).catch((error) => noSpaceLeft(request, error))
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > limit.bytes) throw limit.exceeded()
      if (request.server.diskSpace?.isLow) throw diskFull()
      if (start.length < 8) start = Buffer.concat([start, chunk.subarray(0, 8)])
      hash.update(chunk)
      await target.writeFile(chunk).catch((error) => noSpaceLeft(request, error))
    }
  } finally {
    await target.close()
  }
  return { bytes, start, sha256: hash.digest() }
}

function noSpaceLeft(request: FastifyRequest, error: Error): never {
  request.log.error({ err: error })
  throw unavailable(
    'The server does not have enough free disk space for the file. Try again later, or contact your administrator.',
    60,
  )
}

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
