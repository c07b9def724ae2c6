import { Readable } from 'node:stream'
import * as contract from '@watchdesk/contract/sources'
import * as schemas from '@watchdesk/contract/sources.schema'
import type { Deps } from '../../deps.ts'
import { type App, withSchemas } from '../../plugins/contract.ts'
import { datedTitle, sendTable } from '../../plugins/send-table.ts'
import { found } from '../../problem.ts'
import { changeMany } from './change.ts'
import { exportSources, sourcesFile } from './export.ts'
import { findSources, jsonOf } from './find.ts'
import { sourcesStore } from './store.ts'

const api = withSchemas(contract, schemas)

/** Enough for addresses of 200 characters, and little enough to be parsed at once without delaying other calls. */
const FIND_BYTES = 2_000_000

export function sourcesRoutes(app: App, deps: Deps) {
  const { read, rights, env } = deps
  const sources = sourcesStore(deps)

  app.route({ ...api.listSources, handler: ({ query }) => sources.list(query) })
  app.route({ ...api.getSource, handler: async ({ params }) => found(await sources.get(params.id), 'Source') })
  app.route({ ...api.listImportsOfSource, handler: ({ params }) => sources.imports(params.id) })
  app.route({
    ...api.updateSource,
    handler: ({ actor, params, body, headers }) => sources.update(actor, params.id, body, headers['if-match']),
  })
  app.route({
    ...api.deleteSource,
    handler: ({ actor, params, headers }) => sources.remove(actor, params.id, headers['if-match']),
  })
  app.route({ ...api.restoreSource, handler: ({ actor, params }) => sources.restore(actor, params.id) })
  app.route({ ...api.changeSources, handler: (request) => changeMany(deps, request, request.body) })
  app.route({
    ...api.findSources,
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
  app.route({
    ...api.downloadSources,
    handler: async ({ actor, query: { format, ...filter }, readPart }, reply) => {
      const file = await readPart(() => sourcesFile(deps, actor, filter, format))
      return sendTable(reply, format, { title: datedTitle('sources'), ...file })
    },
  })
  app.route({
    ...api.exportSources,
    handler: ({ actor, body, slot }) => slot.run(() => exportSources(deps, actor, body)),
  })
}
