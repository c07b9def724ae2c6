import { OPERATION_KINDS } from '@watchdesk/contract/operations/kinds'
import * as contract from '@watchdesk/contract/operations/operations'
import * as schemas from '@watchdesk/contract/operations/operations.schema'
import { auditDownload } from '../../db/audit.ts'
import { countRows, rowReader } from '../../db/row-sets.ts'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { checkFormat, sendTable } from '../../plugins/send-table.ts'
import { Problem } from '../../problem.ts'
import { operationsStore } from './store.ts'
import { undoStore } from './undo.ts'

const NO_FILE = 'A bulk change of sources has no file, because it read no rows. Its page lists what it changed.'
const NOT_KEPT = 'The rows of this import are not kept.'

export function operationsRoutes(app: App, deps: Deps) {
  const imports = operationsStore(deps)
  const undo = undoStore(deps)
  for (const { routes } of Object.values(deps.kinds)) routes?.(app, deps)

  addRoutes(app, contract, schemas, {
    listOperations: ({ query }) => imports.list(query),
    getOperation: ({ params }) => imports.get(params.id),
    listOperationRows: ({ params, query }) => imports.rows(params.id, query),
    async downloadOperationRows({ actor, params, query: { format, outcome } }, reply) {
      const { kind, name, rows_id, header, changed_count, ...counts } = await imports.rowSet(params.id)
      if (rows_id === null)
        throw new Problem(404, changed_count !== null && deps.kinds[kind].changed ? NO_FILE : NOT_KEPT)
      checkFormat(format, header)
      const about = { entity: OPERATION_KINDS[kind].entity, entity_id: params.id, ...(name && { record: { name } }) }
      await auditDownload(deps.rights, actor, about, { import_id: params.id, format })
      return sendTable(reply, format, {
        title: titleOf(name ?? `Import ${params.id}`, outcome),
        header,
        row_count: countRows(counts, outcome),
        next: rowReader(deps.db, rows_id, outcome),
      })
    },
    previewUndo: ({ actor, params }) => undo.preview(actor, params.id),
    async undoOperation(request) {
      const { import_id } = await undo.create(request, request.params.id, request.body.changed)
      return imports.get(import_id)
    },
  })
}

/** 'sources - failed rows' for `sources.csv`. */
function titleOf(name: string, outcomes: string[] | undefined) {
  const base = name.replace(/\.(csv|xlsx)$/i, '')
  if (!outcomes) return base
  const areFailed = outcomes.every((outcome) => (contract.FAILED_OUTCOMES as readonly string[]).includes(outcome))
  const [only] = outcomes
  return `${base} - ${outcomes.length === 1 ? only : areFailed ? 'failed rows' : 'chosen rows'}`
}
