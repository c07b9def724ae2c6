import { request } from 'node:http'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type FuzzedRequest, fuzzedRequest } from '../helpers/arbitrary.ts'
import { readOperations } from '../helpers/operations.ts'
import { FIRST_ADMIN, openSession } from '../helpers/people.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? 1000)
/** The seed of a failed run, to reproduce it. */
const SEED = process.env.FUZZ_SEED ? Number(process.env.FUZZ_SEED) : undefined

const operations = await readOperations()
const watchdesk = useWatchdesk()
let port: number

beforeAll(async () => {
  port = Number(new URL(await watchdesk.app.listen({ host: '127.0.0.1', port: 0 })).port)
  for (let count = 0; count < 3; count += 1) await watchdesk.createUser({})
})

function send({ method, path, headers, body }: FuzzedRequest, token: string) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const authorization = `Bearer ${token}`
    const length = Buffer.byteLength(body)
    const all = { authorization, ...headers, ...(length > 0 && { 'content-length': length }) }
    const call = request({ port, method, path, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    call.on('error', reject)
    call.end(body)
  })
}

test(
  `${RUNS} generated requests get no 5xx, and each failure has a detail`,
  async () => {
    const seen: Record<string, number> = {}
    const property = fc.asyncProperty(fuzzedRequest(operations), async (fuzzed) => {
      // A call may sign the caller out.
      const { token } = await openSession(watchdesk, FIRST_ADMIN.id)
      const { status, text } = await send(fuzzed, token)
      seen[status] = (seen[status] ?? 0) + 1
      expect(status, text).toBeLessThan(500)
      if (status >= 400 && fuzzed.method !== 'HEAD') expect(JSON.parse(text)).toHaveProperty('detail')
    })
    await fc.assert(property, { numRuns: RUNS, seed: SEED })

    const succeeded = Object.keys(seen).filter((status) => status < '300')
    expect(succeeded.reduce((sum, status) => sum + (seen[status] ?? 0), 0)).toBeGreaterThan(RUNS / 10)
    expect(Object.keys(seen)).toEqual(expect.arrayContaining(['200', '201', '204', '400', '404', '412', '415', '422']))
    expect((await watchdesk.anonymous('GET', '/health/ready')).status).toBe(200)
  },
  60_000 + RUNS * 30,
)
