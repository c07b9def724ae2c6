import { Readable } from 'node:stream'
import { FILE_TYPES } from '@watchdesk/contract/file-types'
import * as contract from '@watchdesk/contract/sheets'
import * as schemas from '@watchdesk/contract/sheets.schema'
import { rowReader } from '../../adapters/sheets/local.ts'
import type { App, Deps } from '../../deps.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { withUpload } from '../../plugins/upload.ts'
import { found, Problem } from '../../problem.ts'
import { csvOf } from './csv.ts'
import { replaceSheet } from './replace.ts'
import { rowsWith, selectRowsId, sheetsStore } from './store.ts'
import { COLUMNS_OF_A_WORKSHEET, xlsxOf } from './xlsx.ts'

const api = withSchemas(contract, schemas)

export function sheetsRoutes(app: App, { db, rights, inSnapshot }: Deps) {
  const sheets = sheetsStore(db, rights, inSnapshot)

  app.route({ ...api.getSheet, handler: async ({ params }) => found(await sheets.get(params.id), 'Sheet') })
  app.route({ ...api.listSheetRows, handler: ({ params, query }) => sheets.rows(params.id, query) })
  app.route({
    ...api.downloadSheet,
    handler: async ({ actor, params, query: { format, outcome } }, reply) => {
      const sheet = found(await sheets.get(params.id), 'Sheet')
      if (format === 'xlsx' && sheet.header.length > COLUMNS_OF_A_WORKSHEET) {
        throw new Problem(422, 'The sheet has more columns than an XLSX file holds. Download it as CSV.')
      }
      await sheets.noteDownload(actor, sheet, format)
      reply.header('content-type', FILE_TYPES[format])
      reply.header(
        'content-disposition',
        `attachment; ${fileName(`${sheet.title}${outcome === undefined ? '' : ` - ${outcome}`}.${format}`)}`,
      )
      reply.header('etag', `"${sheet.version}"`)
      const { rows_id } = await selectRowsId(db, sheet.id)
      const next = rowReader(db, rows_id, outcome === undefined ? undefined : [outcome])
      if (format === 'xlsx') return reply.send(xlsxOf(sheet.header, rowsWith(sheet, outcome), next))
      return reply.send(Readable.from(csvOf(sheet.header, next), { objectMode: false }))
    },
  })
  app.route({
    ...api.replaceSheet,
    handler: (request) =>
      withUpload(request, (upload) =>
        replaceSheet(rights, request.actor, request.params.id, upload, request.headers['if-match']),
      ),
  })
}

/** Keeps letters and digits of any script, and removes characters with a special meaning in file systems or headers. */
function fileName(name: string) {
  const safe = [...name.replace(/[^\p{L}\p{N} ._-]+/gu, '-')].slice(-150).join('')
  const ascii = safe.replace(/[^ -~]/g, '_')
  return `filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(safe)}`
}
