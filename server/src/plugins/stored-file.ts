import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Stored = { etag: string; forms: Record<string, Buffer> }

/** The highest level would take seconds for a large file. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** A file that is the same for everyone: read and compressed at the first request, and kept in memory. */
export function storedFile(type: string, cacheControl: string, read: () => Promise<Buffer> | Buffer) {
  let stored: Promise<Stored> | undefined

  return async (request: FastifyRequest, reply: FastifyReply) => {
    stored ??= store(read)
    // Before the headers: a browser must not cache an error. The next request tries again.
    const { etag, forms } = await stored.catch((error: unknown) => {
      stored = undefined
      throw error
    })
    reply.headers({ 'cache-control': cacheControl, etag, vary: 'accept-encoding' })
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase()
    const encoding = negotiate(accepted, ['br', 'gzip'])
    if (encoding) reply.header('content-encoding', encoding)
    return reply.type(type).send(forms[encoding ?? 'identity'])
  }
}

async function store(read: () => Promise<Buffer> | Buffer): Promise<Stored> {
  const identity = await read()
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity, BROTLI), promisify(gzip)(identity)])
  const digest = createHash('sha256').update(identity).digest('base64url')
  // Weak, because it is the same for all encodings.
  return { etag: `W/"${digest}"`, forms: { identity, br, gzip: gz } }
}
