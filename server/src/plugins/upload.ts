import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { TableKind } from '../adapters/tables/tables.ts'
import { writable } from '../db/writable.ts'
import type { Env } from '../env.ts'
import { invalid, Problem } from '../problem.ts'
import { isPlain } from './body.ts'
import { validated } from './errors.ts'
import { receiveInto, withTemporaryFile } from './receive.ts'
import { clearUploads, uploadsDir } from './upload-files.ts'

declare module 'fastify' {
  interface FastifyInstance {
    uploads: { dir: string; limit: number }
  }
}

export type Upload = {
  path: string
  /** Without characters that an audit event cannot store. */
  name: string
  kind: TableKind
  fields: Record<string, string>
  bytes: number
  sha256: Buffer
}

const FORM_OVERHEAD_BYTES = 65_536
/** How long the rest of a rejected body is discarded, so that the client reads the response. */
const LINGER_MS = 15_000

const FORM = /^multipart\/form-data\s*;\s*boundary\s*=\s*("[^"\r\n]{1,70}"|[^\s";,]{1,70})\s*$/i

export async function acceptUploads(app: FastifyInstance, env: Pick<Env, 'DATA_DIR' | 'UPLOAD_LIMIT_BYTES'>) {
  const dir = uploadsDir(env.DATA_DIR)
  await clearUploads(dir, 'at startup')
  app.decorate('uploads', { dir, limit: env.UPLOAD_LIMIT_BYTES })
  await app.register(multipart, { throwFileSizeLimit: false })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const acceptsForm = request.routeOptions.config.content_type === 'multipart/form-data'
    const isForm = /^\s*multipart\//i.test(request.headers['content-type'] ?? '')
    if (!acceptsForm && !isForm) return done(null, payload)
    if (!acceptsForm) throw new Problem(415, 'This request does not accept that content type.')
    if (!isPlain(request, FORM)) throw new Problem(415, 'This request accepts multipart/form-data, uncompressed.')
    if (Number(request.headers['content-length'] ?? 0) > env.UPLOAD_LIMIT_BYTES + FORM_OVERHEAD_BYTES) {
      throw tooLarge(env.UPLOAD_LIMIT_BYTES)
    }
    done(null, payload)
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete && !raw.destroyed) discardRest(raw)
    done()
  })
}

function discardRest(raw: IncomingMessage) {
  const timer = setTimeout(() => raw.destroy(), LINGER_MS).unref()
  raw.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  raw.unpipe()
  raw.resume()
}

function tooLarge(limit: number) {
  const size = limit % 1_048_576 === 0 ? `${limit / 1_048_576} MB` : `${limit.toLocaleString('en')} bytes`
  return new Problem(413, `The file is larger than the limit of ${size}.`)
}

/** The work starts when the file is complete, so that nothing waits for a slow client. */
export function withUpload<Result>(request: FastifyRequest, work: (upload: Upload) => Promise<Result>) {
  return withTemporaryFile(request, async (path) => {
    const upload = await receive(request, path).catch((error) => explain(request, error))
    return request.slot.run(() => work(upload))
  })
}

async function receive(request: FastifyRequest, path: string): Promise<Upload> {
  const { limit } = request.server.uploads
  const limits = { fileSize: limit + 1, fieldSize: 1000, fieldNameSize: 200, fields: 20, files: 2, headerPairs: 20 }
  const fields: Record<string, string> = Object.create(null)
  let file: Omit<Upload, 'fields'> | undefined
  // If the client has already disconnected, no further event arrives, and the parser would wait forever.
  if (request.raw.destroyed) throw cutOff()
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      if (part.fieldname in fields) throw invalid(part.fieldname, `The form contains ${part.fieldname} twice.`)
      fields[part.fieldname] = String(part.value)
    } else if (part.fieldname !== 'file') {
      fields[part.fieldname] = ''
      part.file.resume()
    } else {
      if (file) throw invalid('file', 'Only one file can be uploaded at a time.')
      file = await store(request, part, path)
    }
  }
  const schema = request.routeOptions.schema?.body
  if (schema instanceof z.ZodType) validated(schema, { ...fields, ...(file && { file: new File([], file.name) }) })
  if (!file) throw invalid('file', 'File is required')
  return { ...file, fields }
}

/** Errors of the form parser are client errors, and so is a connection that ends too early. */
function explain({ raw }: FastifyRequest, error: Error): never {
  const isMalformed = raw.destroyed || /multipart|^Part terminated|^Malformed/i.test(error.message)
  throw !(error instanceof Problem) && isMalformed ? cutOff() : error
}

function cutOff() {
  return new Problem(400, 'The form is malformed or incomplete.')
}

async function store(request: FastifyRequest, { filename, file }: MultipartFile, path: string) {
  const { limit } = request.server.uploads
  const named = /\.(csv|xlsx)$/i.exec(filename ?? '')?.[1]?.toLowerCase()
  if (!named) throw invalid('file', 'File must be of type csv or xlsx.')
  const { start, ...received } = await pipeline(file, (chunks: AsyncIterable<Buffer>) =>
    receiveInto(request, path, chunks, { limit, tooLarge: tooLarge(limit) }),
  )
  return { path, name: writable(filename), kind: kindOf(named, start), ...received }
}

/** Detects the file type by its first bytes, whatever its name. */
function kindOf(named: string, start: Buffer): TableKind {
  if (start.toString('hex', 0, 4) === '504b0304') return 'xlsx'
  if (start.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1') {
    const how = 'Open it in a spreadsheet program and save it as .xlsx without a password.'
    throw invalid('file', `The file is an old .xls workbook or protected by a password. ${how}`)
  }
  if (named === 'xlsx') throw invalid('file', 'The file has the extension .xlsx but is not an Excel workbook.')
  return 'csv'
}
