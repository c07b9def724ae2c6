import { login, logout } from '@watchdesk/contract/session'
import type { FastifyInstance } from 'fastify'
import type { Room } from '../db/room.ts'
import { diskFull } from '../problem.ts'

declare module 'fastify' {
  interface FastifyInstance {
    room: Room | undefined
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** To look at what there is, people must be able to sign in; that takes next to nothing. */
const SMALL: unknown[] = [login.url, logout.url]

/** When the disk is nearly full, nothing more is written, so that all that was can still be read. */
export function refuseWritesWithoutRoom(app: FastifyInstance, room: Room | undefined) {
  app.decorate('room', room)
  app.addHook('preParsing', async ({ method, routeOptions }) => {
    if (room?.isShort && !READS.has(method) && !SMALL.includes(routeOptions.url)) throw diskFull()
  })
}
