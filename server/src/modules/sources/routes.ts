import { Readable } from 'node:stream'
import * as contract from '@watchdesk/contract/sources'
import * as schemas from '@watchdesk/contract/sources.schema'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes, withSchemas } from '../../plugins/contract.ts'
import { sendTable } from '../../plugins/send-table.ts'
import { found } from '../../problem.ts'
import { changeMany } from './change.ts'
import { exportSources, sourcesFile } from './export.ts'
import { findSources, jsonOf } from './find.ts'
import { sourcesStore } from './store.ts'

/** Enough for addresses of 200 characters, and little enough to be parsed at once without delaying other calls. */
const FIND_BYTES = 2_000_000

export function sourcesRoutes(app: App, deps: Deps) {
  const { read, rights, env } = deps
  const sources = sourcesStore(deps)

  app.route({
    ...withSchemas(contract, schemas).findSources,
    bodyLimit: Math.min(FIND_BYTES, env.IMPORT_BODY_LIMIT_BYTES),
    handler: async ({ actor, body }, reply) => {
      // Sending many addresses may take long.
      await rights.check(actor)
      const found = await findSources(read, body.addresses)
      reply.header('content-type', 'application/json; charset=utf-8')
      // The type of the reply is that of the whole response.
      return reply.send(Readable.from(jsonOf(found), { objectMode: false }) as never)
    },
  })
  addRoutes(app, contract, schemas, {
    listSources: ({ query }) => sources.list(query),
    getSource: async ({ params }) => found(await sources.get(params.id), 'Source'),
    listImportsOfSource: ({ params }) => sources.imports(params.id),
    updateSource: ({ actor, params, body, headers }) => sources.update(actor, params.id, body, headers['if-match']),
    deleteSource: ({ actor, params, headers }) => sources.remove(actor, params.id, headers['if-match']),
    restoreSource: ({ actor, params }) => sources.restore(actor, params.id),
    changeSources: (request) => changeMany(deps, request, request.body),
    async downloadSources({ actor, query, readPart }, reply) {
      return sendTable(reply, query.format, await readPart(() => sourcesFile(deps, actor, query)))
    },
    exportSources: ({ actor, body, slot }) => slot.run(() => exportSources(deps, actor, body)),
  })
}
