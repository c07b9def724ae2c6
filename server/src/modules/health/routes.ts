import { requireWritableDatabase } from '../../db/open.ts'
import type { ServerDeps } from '../../deps.ts'
import type { App } from '../../plugins/contract.ts'
import { unavailable } from '../../problem.ts'

export function healthRoutes(app: App, { pool }: Pick<ServerDeps, 'pool'>) {
  app.get('/health/live', { config: { access: 'public' } }, async () => ({ status: 'ok' }))
  app.get('/health/ready', { config: { access: 'public' } }, async () => {
    if (app.isStopping()) throw unavailable('The server is stopping. Try again in a moment.')
    await requireWritableDatabase(pool)
    return { status: 'ok' }
  })
}
