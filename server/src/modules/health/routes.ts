import { needAnswer } from '../../db/open.ts'
import type { App, ServerDeps } from '../../deps.ts'

export function healthRoutes(app: App, { pool }: Pick<ServerDeps, 'pool'>) {
  app.get('/health/live', { config: { access: 'public' } }, async () => ({ status: 'ok' }))
  app.get('/health/ready', { config: { access: 'public' } }, async () => {
    await needAnswer(pool)
    return { status: 'ok' }
  })
}
