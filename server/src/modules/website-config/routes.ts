import * as contract from '@watchdesk/contract/website-config'
import * as schemas from '@watchdesk/contract/website-config.schema'
import type { Deps } from '../../deps.ts'
import { withoutConsoleOrigin } from '../../plugins/console-address.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { websiteConfigStore } from './store.ts'

export function websiteConfigRoutes(app: App, deps: Deps) {
  const websiteConfig = websiteConfigStore(deps)

  addRoutes(app, contract, schemas, {
    async getWebsiteConfig(_request, reply) {
      const { values, version } = await websiteConfig.get()
      reply.header('etag', `"${version}"`)
      return values
    },
    async updateWebsiteConfig(request, reply) {
      const { actor, body, headers } = request
      // Our own sheets are stored by path, because the console's address may change.
      const sheets = contract.SOURCES_SHEET_KEYS.flatMap((key) => {
        const sheet = body[key]
        return sheet === undefined ? [] : [[key, withoutConsoleOrigin(request, sheet)]]
      })
      const changes = { ...body, ...Object.fromEntries(sheets) }
      const { values, version } = await websiteConfig.update(actor, changes, headers['if-match'])
      reply.header('etag', `"${version}"`)
      return values
    },
  })
}
