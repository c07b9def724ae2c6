import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type Replica, startReplica } from '../helpers/replica.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

/** `npm run crash` runs ten. */
const RESTARTS = Number(process.env.RESTARTS ?? 2)
const CALLERS = 6
const PROBE_MS = 100
// The delay is long enough for many probes, because a machine busy with other tests probes late. Load shedding has its
// default settings: a replica that has just started is exempt.
const SETTINGS = { SHUTDOWN_DELAY_MS: '2000', MAX_EVENT_LOOP_DELAY_MS: '', LOG_LEVEL: 'silent' }

const watchdesk = useWatchdesk()
const replicas: Replica[] = []
afterAll(() => {
  for (const replica of replicas) replica.stop()
})

type Target = { url: string; agent: Agent; isReady: boolean }

/** A round-robin load balancer that only checks readiness, keeps connections open and never retries. */
async function startBalancer() {
  const targets = new Set<Target>()
  let isOpen = true
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const ready = [...targets].filter(({ isReady }) => isReady)
    const target = ready[turn++ % ready.length]
    if (target) forward(target, incoming, outgoing)
    else outgoing.writeHead(502).end('no target is ready')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function probe(target: Target) {
    while (isOpen && targets.has(target)) {
      const { ok } = await fetch(`${target.url}/health/ready`).catch(() => ({ ok: false }))
      target.isReady = ok
      await wait(PROBE_MS)
    }
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async add(url: string) {
      const target: Target = { url, agent: new Agent({ keepAlive: true }), isReady: false }
      targets.add(target)
      void probe(target)
      await expect.poll(() => target.isReady, { timeout: 20_000 }).toBe(true)
      return () => targets.delete(target)
    },
    close() {
      isOpen = false
      server.close()
      server.closeAllConnections()
    },
  }
}

function forward({ url, agent }: Target, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method, headers } = incoming
  const sent = request(url + incoming.url, { agent, method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, { 'content-type': response.headers['content-type'] ?? '' })
    response.pipe(outgoing)
  })
  sent.on('error', (error) => outgoing.headersSent || outgoing.writeHead(502).end(error.message))
  incoming.pipe(sent)
}

test(`${RESTARTS} rolling restarts behind a load balancer without retries fail no call`, async () => {
  const balancer = await startBalancer()
  const add = async () => {
    const replica = await startReplica(watchdesk, SETTINGS)
    replicas.push(replica)
    return { replica, remove: await balancer.add(replica.url) }
  }
  let members = [await add(), await add()]
  let isOver = false
  const responses: string[] = []
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      const headers = { authorization: `Bearer ${watchdesk.admin.token}` }
      const response = await fetch(`${balancer.url}/api/v1/users/`, { headers })
      responses.push(response.status === 200 ? 'fine' : `${response.status} ${await response.clone().text()}`)
      await response.arrayBuffer()
    }
  })
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const [oldest, ...others] = members
    expect(await oldest?.replica.stop()).toBe(0)
    oldest?.remove()
    members = [...others, await add()]
  }
  isOver = true
  await Promise.all(callers)
  balancer.close()
  expect(responses.length).toBeGreaterThan(RESTARTS * CALLERS)
  expect(responses.filter((response) => response !== 'fine')).toEqual([])
}, 300_000)
