import { Readable } from 'node:stream'
import { FILE_TYPES } from '@watchdesk/contract/file-types'
import * as contract from '@watchdesk/contract/sheets'
import * as schemas from '@watchdesk/contract/sheets.schema'
import { rowReader } from '../../adapters/sheets/local.ts'
import type { App, Deps } from '../../deps.ts'
import { confirmingSession } from '../../plugins/auth.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { withUpload } from '../../plugins/upload.ts'
import { found, Problem } from '../../problem.ts'
import { csvOf } from './csv.ts'
import { replaceSheet } from './replace.ts'
import { listRows, rowsWith } from './rows.ts'
import { selectSheet, sheetsStore } from './store.ts'
import { COLUMNS_OF_A_WORKSHEET, xlsxOf } from './xlsx.ts'

const api = withSchemas(contract, schemas)
const confirming = confirmingSession(api)

export function sheetsRoutes(app: App, deps: Deps) {
  const { db, inSnapshot } = deps
  const sheets = sheetsStore(deps)

  app.route({ ...confirming.listSheets, handler: ({ actor, query }) => sheets.list(actor, query) })
  app.route({ ...api.getSheet, handler: ({ params }) => sheets.get(params.id) })
  app.route({
    ...confirming.updateSheet,
    handler: ({ actor, params, body, headers }) => sheets.update(actor, params.id, body, headers['if-match']),
  })
  app.route({
    ...confirming.deleteSheet,
    handler: ({ actor, params, headers }) => sheets.remove(actor, params.id, headers['if-match']),
  })
  app.route({ ...confirming.restoreSheet, handler: ({ actor, params }) => sheets.restore(actor, params.id) })
  app.route({ ...api.listSheetRows, handler: ({ params, query }) => listRows(inSnapshot, params.id, query) })
  app.route({
    ...api.downloadSheet,
    handler: async ({ actor, params, query: { format, outcome } }, reply) => {
      const sheet = found(await selectSheet(db, params.id), 'Sheet')
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
      const next = rowReader(db, sheet.rows_id, outcome === undefined ? undefined : [outcome])
      if (format === 'xlsx') return reply.send(xlsxOf(sheet.header, rowsWith(sheet, outcome), next))
      return reply.send(Readable.from(csvOf(sheet.header, next), { objectMode: false }))
    },
  })
  app.route({
    ...api.replaceSheet,
    handler: (request) =>
      withUpload(request, (upload) =>
        replaceSheet(deps, request.actor, request.params.id, upload, request.headers['if-match']),
      ),
  })
}

/** Keeps letters and digits of any script, and removes characters with a special meaning in file systems or headers. */
function fileName(name: string) {
  const safe = [...name.replace(/[^\p{L}\p{N} ._-]+/gu, '-')].slice(-150).join('')
  const ascii = safe.replace(/[^ -~]/g, '_')
  return `filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(safe)}`
}
