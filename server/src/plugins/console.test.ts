import { expect, test } from 'vitest'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const NOT_FOUND = { status: 404, type: 'application/json; charset=utf-8', body: '{"detail":"Not found."}' }

async function open(url: string, accept?: string) {
  const response = await watchdesk.app.inject({ url, headers: accept === undefined ? {} : { accept } })
  return { status: response.statusCode, type: response.headers['content-type'], body: response.body }
}

const page = { status: 200, type: 'text/html; charset=utf-8', body: expect.stringContaining('<div id="root">') }

test.each(['/', '/login', '/users', '/workspaces/1/edit', '/foo.bar', '/workspaces/2.5', '/nowhere', '/healthy'])(
  'a browser that opens %s gets the console',
  async (url) => {
    expect(await open(url, BROWSER)).toEqual(page)
  },
)

const MISTYPED = ['/health', '/health/', '/health/redy', '/healthz', '/livez', '/ready', '/ping', '/status', '/version']

test.each([...MISTYPED, '/foo.bar', '/nowhere', '/Health'])('a probe that asks for %s is never green', async (url) => {
  for (const accept of [undefined, '*/*', 'application/json']) expect(await open(url, accept)).toEqual(NOT_FOUND)
})

test.each(MISTYPED)('a person who tries the probe %s in a browser is not misled either', async (url) => {
  expect(await open(url, BROWSER)).toEqual(NOT_FOUND)
})

test('the address alone gives the console to everyone', async () => {
  expect(await open('/', '*/*')).toEqual(page)
})

test.each(['/favicon.svg', '/favicon.ico', '/index.html'])('the file %s is there for everyone', async (url) => {
  expect((await open(url, '*/*')).status).toBe(200)
})

test.each(['/favicon.svg', '/favicon.ico'])('a browser keeps the icon %s for a day', async (url) => {
  const { headers } = await watchdesk.app.inject({ url })
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=86400' })
})

test.each(['/assets/none.js', '/assets/', '/assets'])('what is not among the files, %s, is not found', async (url) => {
  expect(await open(url, '*/*')).toMatchObject({ status: 404 })
})
