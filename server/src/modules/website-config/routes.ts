import * as api from '@watchdesk/contract/website-config'
import type { App, Deps } from '../../deps.ts'
import { websiteConfigStore } from './store.ts'

export function websiteConfigRoutes(app: App, { db, rights, catalog }: Deps) {
  const websiteConfig = websiteConfigStore(db, rights, catalog)

  app.route({
    ...api.getWebsiteConfig,
    handler: async (_request, reply) => {
      const { values, version } = await websiteConfig.get()
      reply.header('etag', `"${version}"`)
      return values
    },
  })
  app.route({
    ...api.updateWebsiteConfig,
    handler: async ({ actor, body, headers }, reply) => {
      const { values, version } = await websiteConfig.update(actor, body, headers['if-match'])
      reply.header('etag', `"${version}"`)
      return values
    },
  })
}
