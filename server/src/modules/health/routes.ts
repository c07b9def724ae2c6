import type { App, Deps } from '../../app.ts'
import { unavailable } from '../../problem.ts'

export function healthRoutes(app: App, { pool }: Deps) {
  app.get('/health/live', { config: { access: 'public' } }, async () => ({ status: 'ok' }))
  app.get('/health/ready', { config: { access: 'public' } }, async () => {
    const answered = pool.query('select 1').then(() => true)
    const tooLate = new Promise<false>((resolve) => setTimeout(() => resolve(false), 1500).unref())
    const isUp = await Promise.race([answered, tooLate]).catch(() => false)
    if (!isUp) throw unavailable('The database cannot be reached right now.')
    return { status: 'ok' }
  })
}
