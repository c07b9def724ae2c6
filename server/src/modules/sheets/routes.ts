import * as contract from '@watchdesk/contract/sheets'
import * as schemas from '@watchdesk/contract/sheets.schema'
import { auditDownload } from '../../db/audit.ts'
import { countRows, rowReader } from '../../db/row-sets.ts'
import type { Deps } from '../../deps.ts'
import { type App, withSchemas } from '../../plugins/contract.ts'
import { checkFormat, sendTable } from '../../plugins/send-table.ts'
import { withUpload } from '../../plugins/upload.ts'
import { found } from '../../problem.ts'
import { replaceSheet } from './replace.ts'
import { selectSheet, sheetsStore } from './store.ts'

const api = withSchemas(contract, schemas)

export function sheetsRoutes(app: App, deps: Deps) {
  const { db, rights } = deps
  const sheets = sheetsStore(deps)

  app.route({ ...api.listSheets, handler: ({ query }) => sheets.list(query) })
  app.route({ ...api.getSheet, handler: ({ params }) => sheets.get(params.id) })
  app.route({
    ...api.updateSheet,
    handler: ({ actor, params, body, headers }) => sheets.update(actor, params.id, body, headers['if-match']),
  })
  app.route({
    ...api.deleteSheet,
    handler: ({ actor, params, headers }) => sheets.remove(actor, params.id, headers['if-match']),
  })
  app.route({ ...api.restoreSheet, handler: ({ actor, params }) => sheets.restore(actor, params.id) })
  app.route({ ...api.listSheetRows, handler: ({ params, query }) => sheets.rows(params.id, query) })
  app.route({
    ...api.downloadSheet,
    handler: async ({ actor, params, query: { format, outcome } }, reply) => {
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
  })
  app.route({
    ...api.replaceSheet,
    handler: (request) =>
      withUpload(request, (upload) =>
        replaceSheet(deps, request.actor, request.params.id, upload, request.headers['if-match']),
      ),
  })
}
