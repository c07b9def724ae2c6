import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { App } from '../deps.ts'
import { Problem } from '../problem.ts'

const BUILT_CONSOLE = fileURLToPath(new URL('../../../console/dist', import.meta.url))

/** Names that probes use: with the console's page for an answer, a mistyped one would always be green. */
const PROBE = /^(health|healthz|healthcheck|live|livez|ready|readyz|ping|status|version|metrics)(\/|$)/

/** The console's files; every other address that a browser opens is one of its screens, and nothing for anyone else. */
export async function serveConsole(app: App) {
  if (!existsSync(BUILT_CONSOLE)) return
  await app.register(fastifyStatic, {
    root: BUILT_CONSOLE,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const files = new Set(await readdir(BUILT_CONSOLE))
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { access: 'public' },
    handler: (request, reply) => {
      const { '*': path } = request.params as { '*': string }
      if (path.startsWith('api/')) throw new Problem(404, 'Not found.')
      if (files.has(path) || path.startsWith('assets/')) return reply.sendFile(path)
      // Browsers ask for text/html by name; probes and scripts accept anything.
      const isOpened = request.headers.accept?.includes('text/html') && !PROBE.test(path)
      if (path !== '' && !isOpened) throw new Problem(404, 'Not found.')
      return reply.sendFile('index.html')
    },
  })
}
