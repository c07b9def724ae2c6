import * as contract from '@watchdesk/contract/session'
import * as schemas from '@watchdesk/contract/session.schema'
import { requireWritableDatabase } from '../../db/open.ts'
import type { App, ServerDeps } from '../../deps.ts'
import { withSchemas } from '../../plugins/contract.ts'
import { Problem } from '../../problem.ts'
import type { Lockout } from './lockout.ts'
import { sessionStore } from './store.ts'

const api = withSchemas(contract, schemas)

export function sessionRoutes(app: App, { db, env, passwords, pool, semaphores }: ServerDeps, lockout: Lockout) {
  const sessions = sessionStore({ db, passwords, lockout, semaphores })
  const rateLimit = {
    max: env.LOGIN_RATE_LIMIT,
    timeWindow: '1 minute',
    errorResponseBuilder: () => new Problem(429, 'Too many sign-ins from your network. Wait a minute and try again.'),
  }

  app.route({
    ...api.login,
    config: { ...api.login.config, rateLimit },
    handler: async ({ body, ip, headers }) => {
      await requireWritableDatabase(pool)
      return sessions.create(body, { ip, user_agent: headers['user-agent'] })
    },
  })
  app.route({ ...api.logout, handler: ({ actor }) => sessions.remove(actor) })
}
