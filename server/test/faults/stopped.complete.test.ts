import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startReplica } from '../helpers/replica.ts'
import { QUOTAS, useWatchdesk } from '../helpers/watchdesk.ts'

/** `npm run crash` runs 20. */
const STOPS = Number(process.env.STOPS ?? 1)
const CALLERS = 30
const ANSWERS_BEFORE = 100
const WITHIN_MS = 30_000

const watchdesk = useWatchdesk()

type Outcome = { status: number; name?: string } | 'refused'

/** Sends calls on keep-alive connections until the server accepts no more. */
function startLoad(url: string, round: number) {
  const responses: Outcome[] = []
  const broken: string[] = []
  const connected = new Set<number>()
  let onResponse = () => {}
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let call = 0; ; call += 1) {
      const isWrite = (call + caller) % 3 === 0
      const name = `stop-${round}-${caller}-${call}`
      const outcome = await (isWrite ? create(agent, url, name) : read(agent, url)).catch((error) => {
        // Connection refused: the call was not accepted, so nothing is lost.
        if (error.code === 'ECONNREFUSED') return 'refused' as const
        broken.push(`${isWrite ? 'write' : 'read'}: ${error.code} ${error.message}`)
        return 'refused' as const
      })
      responses.push(outcome)
      connected.add(caller)
      onResponse()
      if (outcome === 'refused') break
      // Some connections are idle when the server is asked to stop.
      await wait(Math.random() * 40)
    }
    agent.destroy()
  })
  return {
    responses,
    broken,
    ended: Promise.all(callers),
    /** A connection that the server has not accepted yet would be reset when the port closes. */
    until: (count: number) =>
      new Promise<void>((resolve) => {
        onResponse = () => responses.length >= count && connected.size === CALLERS && resolve()
      }),
  }
}

function read(agent: Agent, url: string) {
  return call(agent, 'GET', `${url}/api/v1/users/`)
}

async function create(agent: Agent, url: string, name: string) {
  return { ...(await call(agent, 'POST', `${url}/api/v1/workspaces/`, JSON.stringify({ name, ...QUOTAS }))), name }
}

function call(agent: Agent, method: string, url: string, body?: string) {
  const type = body === undefined ? undefined : { 'content-type': 'application/json' }
  const headers = { authorization: `Bearer ${watchdesk.admin.token}`, ...type }
  return new Promise<{ status: number }>((resolve, reject) => {
    request(url, { agent, method, headers }, (response) => {
      text(response).then((body) => {
        JSON.parse(body)
        resolve({ status: response.statusCode ?? 0 })
      }, reject)
    })
      .on('error', reject)
      .end(body)
  })
}

async function kept(round: number) {
  const { rows } = await watchdesk.database.pool.query('select name from workspaces where name like $1', [
    `stop-${round}-%`,
  ])
  return rows.map(({ name }) => name).sort()
}

test(
  `stopped ${STOPS} times while ${CALLERS} clients send requests, the server exits in time, and completes and logs every response`,
  async () => {
    for (let round = 0; round < STOPS; round += 1) {
      const replica = await startReplica(watchdesk)
      const load = startLoad(replica.url, round)
      await load.until(ANSWERS_BEFORE)
      const began = performance.now()
      expect(await replica.stop()).toBe(0)
      const took = performance.now() - began
      await load.ended
      expect(took).toBeLessThan(WITHIN_MS)
      expect(load.broken, `round ${round}`).toEqual([])
      const responded = load.responses.filter((outcome) => outcome !== 'refused')
      // On a machine busy with other tests, a call may be rejected, with a complete response.
      for (const { status } of responded) expect([200, 201, 503]).toContain(status)
      const created = responded.filter(({ status }) => status === 201).map(({ name }) => name)
      expect(created).not.toEqual([])
      expect(await kept(round)).toEqual(created.sort())
      const logged = () => replica.output().match(/"path":"\/api\/v1\//g)?.length
      await expect.poll(logged).toBe(responded.length)
      if (STOPS >= 20) console.log({ round, stopped_ms: Math.round(took), responded: responded.length })
    }
  },
  30_000 + STOPS * 60_000,
)
