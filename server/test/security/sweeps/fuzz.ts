import { request } from 'node:http'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type FuzzedRequest, fuzzedRequest } from '../../helpers/arbitrary.ts'
import type { Operation } from '../../helpers/operations.ts'
import { FIRST_ADMIN, openSession } from '../../helpers/people.ts'
import { useWatchdesk } from '../../helpers/watchdesk.ts'

/** The seed of a failed run, to reproduce it. */
const SEED = process.env.FUZZ_SEED ? Number(process.env.FUZZ_SEED) : undefined

/** Generated requests, among which there must be some with each of these statuses. */
export function sweepGenerated(operations: Operation[], runs: number, statuses: string[]) {
  const watchdesk = useWatchdesk({}, { isListening: true })

  beforeAll(async () => {
    for (let count = 0; count < 3; count += 1) await watchdesk.createUser({})
  })

  test(
    `${runs} generated requests get no 5xx, and each failure has a detail`,
    async () => {
      const seen: Record<string, number> = {}
      const property = fc.asyncProperty(fuzzedRequest(operations), async (fuzzed) => {
        // A call may sign the caller out.
        const { token } = await openSession(watchdesk, FIRST_ADMIN.id)
        const { status, text } = await send(watchdesk.port, token, fuzzed)
        seen[status] = (seen[status] ?? 0) + 1
        expect(status, text).toBeLessThan(500)
        if (status >= 400 && fuzzed.method !== 'HEAD') expect(JSON.parse(text)).toHaveProperty('detail')
      })
      await fc.assert(property, { numRuns: runs, seed: SEED })

      const succeeded = Object.keys(seen).filter((status) => status < '300')
      expect(succeeded.reduce((sum, status) => sum + (seen[status] ?? 0), 0)).toBeGreaterThan(runs / 20)
      expect(Object.keys(seen)).toEqual(expect.arrayContaining(statuses))
      expect((await watchdesk.anonymous('GET', '/health/ready')).status).toBe(200)
    },
    60_000 + runs * 30,
  )
}

function send(port: number, token: string, { method, path, headers, body }: FuzzedRequest) {
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
