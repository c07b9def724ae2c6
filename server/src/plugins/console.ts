import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { App } from '../deps.ts'
import { Problem } from '../problem.ts'

const BUILT_CONSOLE = fileURLToPath(new URL('../../../console/dist', import.meta.url))

/** The console's files; every other address is one of its screens. */
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
      // A file has an ending, but so has many a mistyped screen: a person who opens one is not looking for a file.
      const isOpened = request.headers.accept?.includes('text/html') && !path.startsWith('assets/') && !files.has(path)
      return reply.sendFile(/\.\w+$/.test(path) && !isOpened ? path : 'index.html')
    },
  })
}
