import { Readable } from 'node:stream'
import { FILE_TYPES } from '@watchdesk/contract/file-types'
import type { FastifyReply } from 'fastify'
import { csvOf, type NextRows } from '../adapters/tables/write-csv.ts'
import { COLUMNS_OF_A_WORKSHEET, xlsxOf } from '../adapters/tables/write-xlsx.ts'
import { Problem } from '../problem.ts'

type Table = {
  title: string
  header: string[]
  row_count: number
  next: NextRows
  /** The columns that contain numbers, for formats that have any. */
  numbers?: readonly number[]
}

/** Call it before anything is recorded or sent. */
export function checkFormat(format: keyof typeof FILE_TYPES, header: string[]) {
  if (format !== 'xlsx' || header.length <= COLUMNS_OF_A_WORKSHEET) return
  throw new Problem(422, 'The sheet has more columns than an XLSX file holds. Download it as CSV.')
}

export function sendTable(reply: FastifyReply, format: keyof typeof FILE_TYPES, table: Table) {
  const { title, header, row_count, numbers } = table
  const next: NextRows = (limit) => reply.request.readPart(() => table.next(limit))
  reply.header('content-type', FILE_TYPES[format])
  reply.header('content-disposition', `attachment; ${fileName(`${title}.${format}`)}`)
  if (format === 'xlsx') return reply.send(xlsxOf(header, row_count, next, numbers))
  return reply.send(Readable.from(csvOf(header, next), { objectMode: false }))
}

/** Keeps letters and digits of any script, and removes characters with a special meaning in file systems or headers. */
function fileName(name: string) {
  const safe = [...name.replace(/[^\p{L}\p{N} ._-]+/gu, '-')].slice(-150).join('')
  const ascii = safe.replace(/[^ -~]/g, '_')
  return `filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(safe)}`
}
