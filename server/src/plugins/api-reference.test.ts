import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { serveApiReference } from './api-reference.ts'

const watchdesk = useWatchdesk()

test('the API reference loads only files of this server, under a policy that allows no others', async () => {
  const { body, headers } = await watchdesk.anonymous<string>('GET', '/api/docs')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body).not.toMatch(/<script>|\bon\w+=|(src|href)="(?!\/)/i)
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  )
  for (const [, script] of body.matchAll(/<script src="([^"]+)"/g)) {
    const { statusCode, headers } = await watchdesk.app.inject({ url: script })
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  }
})

const SCRIPT = '/api/docs/scalar.js'

test('its script is compressed for clients that accept it', async () => {
  const load = (headers = {}) => watchdesk.app.inject({ url: SCRIPT, headers })
  const [plain, compressed] = [await load(), await load({ 'accept-encoding': 'gzip' })]
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(compressed.headers['content-encoding']).toBe('gzip')
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
})

test.each([
  ['gzip;q=0', undefined],
  ['gzip; q=0.0, br', 'br'],
  ['gzip, br', 'br'],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['br;q=0.5, gzip;q=1', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
])('a client that accepts %s gets its script encoded as %s', async (accepted, encoding) => {
  const { headers } = await watchdesk.app.inject({ url: SCRIPT, headers: { 'accept-encoding': accepted } })
  expect(headers['content-encoding']).toBe(encoding)
})

test.each(['gzip', 'identity'])(
  'its script (%s) is read again after a failure, which no browser caches',
  async (accepted) => {
    const folder = await mkdtemp(join(tmpdir(), 'watchdesk-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const script = join(folder, 'scalar.js')
    const app = Fastify()
    serveApiReference(app, pathToFileURL(script))
    const load = () => app.inject({ url: SCRIPT, headers: { 'accept-encoding': accepted } })
    const failed = await load()
    expect(failed.statusCode).toBe(500)
    expect(failed.headers).not.toHaveProperty('cache-control')
    await writeFile(script, 'let a')
    const { statusCode, rawPayload } = await load()
    expect(statusCode).toBe(200)
    expect((accepted === 'gzip' ? gunzipSync(rawPayload) : rawPayload).toString()).toBe('let a')
  },
)
