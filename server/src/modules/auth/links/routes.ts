import * as contract from '@watchdesk/contract/auth/links'
import * as schemas from '@watchdesk/contract/auth/links.schema'
import { requireWritableDatabase } from '../../../db/open.ts'
import type { App, SignInDeps } from '../../../deps.ts'
import { withSchemas } from '../../../plugins/contract.ts'
import { limited } from '../../../plugins/rate-limits.ts'
import { linkUses } from './use-link.ts'

const api = withSchemas(contract, schemas)

export function linksRoutes(app: App, deps: SignInDeps) {
  const { env, pool } = deps
  const links = linkUses(deps)

  app.route({ ...limited(api.openLink, env), handler: ({ body }) => links.open(body.token) })
  app.route({
    ...limited(api.choosePassword, env),
    handler: async ({ body, ip, headers }) => {
      await requireWritableDatabase(pool)
      return links.choosePassword(body.token, body.password, { ip, user_agent: headers['user-agent'] })
    },
  })
  app.route({
    ...limited(api.forgotPassword, env),
    handler: async ({ body }) => {
      await requireWritableDatabase(pool)
      return links.forgotPassword(body.email)
    },
  })
  app.route({
    ...limited(api.signInWithLink, env),
    handler: async ({ body, ip, headers }) => {
      await requireWritableDatabase(pool)
      return links.signIn(body.token, { ip, user_agent: headers['user-agent'] })
    },
  })
}
