import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { FastifyRequest } from 'fastify'
import { diskFull, type Problem, unavailable } from '../problem.ts'
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
