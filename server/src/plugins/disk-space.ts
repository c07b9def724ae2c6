import { login, logout } from '@watchdesk/contract/auth/session'
import type { FastifyInstance } from 'fastify'
import type { DiskSpace } from '../db/disk-space.ts'
import { diskFull } from '../problem.ts'

declare module 'fastify' {
  interface FastifyInstance {
    diskSpace: DiskSpace | undefined
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Users must be able to sign in to read, and that writes very little. */
const SMALL: unknown[] = [login.url, logout.url]

export function refuseWritesOnFullDisk(app: FastifyInstance, diskSpace: DiskSpace | undefined) {
  app.decorate('diskSpace', diskSpace)
  app.addHook('preParsing', ({ method, routeOptions }, _reply, payload, done) => {
    const isRefused = diskSpace?.isLow && !READS.has(method) && !SMALL.includes(routeOptions.url)
    done(isRefused ? diskFull() : null, payload)
  })
}
