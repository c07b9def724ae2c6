import type { FoundAddresses } from '@watchdesk/contract/sources'
import { expect, test } from 'vitest'
import { overload } from '../../../test/helpers/pathological.ts'
import { insertSource } from '../../../test/helpers/sources.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

async function find(addresses: string[]) {
  const response = await watchdesk.admin<FoundAddresses>('POST', '/api/v1/sources/find', { addresses })
  expect(response.status).toBe(200)
  return response.body
}

test('each address is monitored, not monitored, removed, repeated or none', async () => {
  const known = await insertSource(watchdesk, { url: 'https://t.me/known', country: 'UA' })
  const removed = await insertSource(watchdesk, { url: 'https://t.me/removed', deleted_at: '2026-11-01T00:00:00Z' })
  const vk = await insertSource(watchdesk, { platform: 'VK', url: 'https://vk.com/known' })
  const web = await insertSource(watchdesk, { platform: 'WEB', url: 'https://news.example.com' })
  const both = await insertSource(watchdesk, { platform: 'ADMIXER', url: 'https://both.example.com' })
  await insertSource(watchdesk, { platform: 'WEB', url: both.url, deleted_at: '2026-11-01T00:00:00Z' })
  const source = ({ id, platform, url, country }: typeof known) => ({ id, platform, url, country })
  const { objects, counts } = await find([
    ' www.telegram.me/known/ ',
    't.me/new',
    'https://t.me/removed',
    't.me/known?x=1',
    'http://t.me/new',
    'vk.com/known',
    'ok.ru/new',
    'https://www.news.example.com/',
    'https://other.example.com/page',
    'both.example.com',
    'not an address',
    't.me',
    '',
    `https://t.me/${'x'.repeat(3000)}`,
  ])
  const fresh = (platform: string, url: string) => ({ id: null, platform, url, country: null })
  expect(objects.map(({ outcome, source }) => [outcome, source])).toEqual([
    ['monitored', source(known)],
    ['not monitored', fresh('TELEGRAM', 'https://t.me/new')],
    ['removed', source(removed)],
    ['repeated', source(known)],
    ['repeated', fresh('TELEGRAM', 'https://t.me/new')],
    ['monitored', source(vk)],
    ['not monitored', fresh('OK', 'https://ok.ru/new')],
    ['monitored', source(web)],
    ['unsupported platform', null],
    ['monitored', source(both)],
    ['invalid URL', null],
    ['invalid URL', null],
    ['invalid URL', null],
    ['invalid URL', null],
  ])
  expect(objects[0]?.written).toBe(' www.telegram.me/known/ ')
  expect(counts).toEqual({
    monitored: 4,
    'not monitored': 2,
    removed: 1,
    repeated: 2,
    'unsupported platform': 1,
    'invalid URL': 4,
  })
})

test('ten thousand addresses are looked up at once, more are refused', async () => {
  const addresses = Array.from({ length: 10_000 }, (_, n) => `t.me/many${n % 9_000}`)
  expect((await find(addresses)).counts).toEqual({ 'not monitored': 9_000, repeated: 1_000 })
  const { status } = await watchdesk.admin('POST', '/api/v1/sources/find', { addresses: [...addresses, 't.me/one'] })
  expect(status).toBe(422)
})

test.each([
  ['plain', (n: number) => `https://t.me/${n}${'a'.repeat(170)}`],
  ['encoded', (n: number) => `t.me/${n}${'é'.repeat(85)}`],
  ['of hosts', (n: number) => `${'www.m.'.repeat(28)}${n}.example.com`],
  ['of dots', (n: number) => `${n}${'.a'.repeat(85)}`],
  ['of slashes', (n: number) => `t.me/${n}${'/'.repeat(170)}`],
  ['of encoded hosts', (n: number) => `${'xn--a'.repeat(34)}${n}.com`],
])('ten thousand long addresses, %s, do not keep other calls waiting', async (_, write) => {
  const payload = JSON.stringify({ addresses: Array.from({ length: 10_000 }, (_, n) => write(n)) })
  const headers = { authorization: `Bearer ${watchdesk.admin.token}`, 'content-type': 'application/json' }
  const call = async () => {
    const { statusCode } = await watchdesk.app.inject({ method: 'POST', url: '/api/v1/sources/find', headers, payload })
    expect(statusCode).toBe(200)
  }
  expect(await overload(call)).toBeUndefined()
})

test('a body of many megabytes is refused', async () => {
  const addresses = Array.from({ length: 2_000 }, () => 'x'.repeat(3_000))
  expect((await watchdesk.admin('POST', '/api/v1/sources/find', { addresses })).status).toBe(413)
})
