import * as contract from '@watchdesk/contract/session'
import * as schemas from '@watchdesk/contract/session.schema'
import { requireWritableDatabase } from '../../db/open.ts'
import type { App, SignInDeps } from '../../deps.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { limited } from '../../plugins/rate-limits.ts'

const api = withSchemas(contract, schemas)

export function sessionRoutes(app: App, { env, pool, sessions }: SignInDeps) {
  app.route({
    ...limited(api.login, env),
    handler: async ({ body, ip, headers }) => {
      await requireWritableDatabase(pool)
      return sessions.create(body, { ip, user_agent: headers['user-agent'] })
    },
  })
  app.route({ ...api.logout, handler: ({ actor }) => sessions.remove(actor) })
}
