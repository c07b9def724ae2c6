import { expect, test } from 'vitest'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'

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

test('its script is compressed for those who accept that', async () => {
  const load = (headers = {}) => watchdesk.app.inject({ url: '/api/docs/scalar.js', headers })
  const [plain, compressed] = [await load(), await load({ 'accept-encoding': 'gzip, br' })]
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(compressed.headers['content-encoding']).toBe('gzip')
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
})
