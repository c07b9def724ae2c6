import * as contract from '@watchdesk/contract/sheets'
import * as schemas from '@watchdesk/contract/sheets.schema'
import { auditDownload } from '../../db/audit.ts'
import { countRows, rowReader } from '../../db/row-sets.ts'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { checkFormat, sendTable } from '../../plugins/send-table.ts'
import { withUpload } from '../../plugins/upload.ts'
import { found } from '../../problem.ts'
import { replaceSheet } from './replace.ts'
import { selectSheet, sheetsStore } from './store.ts'

export function sheetsRoutes(app: App, deps: Deps) {
  const { db, rights } = deps
  const sheets = sheetsStore(deps)

  addRoutes(app, contract, schemas, {
    listSheets: ({ query }) => sheets.list(query),
    getSheet: ({ params }) => sheets.get(params.id),
    updateSheet: ({ actor, params, body, headers }) => sheets.update(actor, params.id, body, headers['if-match']),
    deleteSheet: ({ actor, params, headers }) => sheets.remove(actor, params.id, headers['if-match']),
    restoreSheet: ({ actor, params }) => sheets.restore(actor, params.id),
    listSheetRows: ({ params, query }) => sheets.rows(params.id, query),
    async downloadSheet({ actor, params, query: { format, outcome } }, reply) {
      const sheet = found(await selectSheet(db, params.id), 'Sheet')
      checkFormat(format, sheet.header)
      const about = { entity: 'sheet', entity_id: sheet.id, record: { name: sheet.title } } as const
      await auditDownload(rights, actor, about, { format })
      reply.header('etag', `"${sheet.version}"`)
      const outcomes = outcome === undefined ? undefined : [outcome]
      return sendTable(reply, format, {
        title: `${sheet.title}${outcome === undefined ? '' : ` - ${outcome}`}`,
        header: sheet.header,
        row_count: countRows(sheet, outcomes),
        next: rowReader(db, sheet.rows_id, outcomes),
      })
    },
    replaceSheet: (request) =>
      withUpload(request, (upload) =>
        replaceSheet(deps, request.actor, request.params.id, upload, request.headers['if-match']),
      ),
  })
}
