import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../problem.ts'

const BUILT_CONSOLE = fileURLToPath(new URL('../../../console/dist', import.meta.url))

/** Names used by probes: if these returned the console's page, a mistyped probe would always succeed. */
const PROBE = /^(health|healthz|healthcheck|live|livez|ready|readyz|ping|status|version|metrics)(\/|$)/

/** Serves the console's files. Every other address that a browser opens is a console screen; other clients get 404. */
export async function serveConsole(app: FastifyInstance) {
  if (!existsSync(BUILT_CONSOLE)) return
  await app.register(fastifyStatic, {
    root: BUILT_CONSOLE,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      // A full browser reads the icon again whenever the address of the page changes, also offline.
      const isIcon = path.includes('/favicon.')
      const unhashed = isIcon ? 'public, max-age=86400' : 'no-cache'
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : unhashed)
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
      // Browsers accept text/html explicitly; probes and scripts accept anything.
      const isOpened = request.headers.accept?.includes('text/html') && !PROBE.test(path)
      if (path !== '' && !isOpened) throw new Problem(404, 'Not found.')
      return reply.sendFile('index.html')
    },
  })
}
