import * as contract from '@watchdesk/contract/auth/links'
import * as schemas from '@watchdesk/contract/auth/links.schema'
import { requireWritableDatabase } from '../../../db/open.ts'
import type { SignInDeps } from '../../../deps.ts'
import { type App, withSchemas } from '../../../plugins/contract.ts'
import { limited } from '../../../plugins/rate-limits.ts'
import { clientOf } from '../session/pending.ts'
import { linksStore } from './use-link.ts'

const api = withSchemas(contract, schemas)

export function linksRoutes(app: App, deps: SignInDeps) {
  const { env, pool } = deps
  const preHandler = () => requireWritableDatabase(pool)
  const links = linksStore(deps)

  app.route({ ...limited(api.openLink, env), handler: ({ body }) => links.open(body.token) })
  app.route({
    ...limited(api.choosePassword, env),
    preHandler,
    handler: ({ body, ip }) => links.choosePassword(body.token, body.password, ip),
  })
  app.route({
    ...limited(api.forgotPassword, env),
    preHandler,
    handler: ({ body }) => links.forgotPassword(body.email),
  })
  app.route({
    ...limited(api.signInWithLink, env),
    preHandler,
    handler: (request) => links.signIn(request.body.token, clientOf(request)),
  })
}
