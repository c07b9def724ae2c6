import { createServer, type ServerResponse } from 'node:http'
import type { Dashboard, LinkCheck } from '@watchdesk/contract/dashboards'
import { errorText } from '@watchdesk/contract/errors'
import { afterAll, expect, test } from 'vitest'
import { close, listen } from '../../../test/helpers/loopback.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk({ LINK_CHECK_PRIVATE: 'on' })
const byDefault = useWatchdesk()

const URL = '/api/v1/powerbi_dashboards/'
const origin = 'https://desk.example.com'

const waiting = new Set<ServerResponse>()
const server = createServer(({ url }, response) => {
  if (url === '/silent') return void waiting.add(response)
  if (url === '/refused') response.setHeader('x-frame-options', 'SAMEORIGIN')
  response.writeHead(url === '/missing' ? 404 : 200).end('Secret content')
})
const base = await listen(server)
afterAll(() => close(server))

async function newDashboard(path: string) {
  const body = { name: 'Reach', embed_link: `${base}${path}` }
  return (await watchdesk.admin<Dashboard>('POST', URL, body)).body.id
}

const check = (body: object) => watchdesk.admin<{ objects: LinkCheck[] }>('POST', `${URL}check_links`, body)

test('each link is reachable or not, and allows embedding or not; deleted dashboards are left out', async () => {
  const ids: number[] = []
  for (const path of ['/report', '/refused', '/missing', '/gone']) ids.push(await newDashboard(path))
  await watchdesk.admin('DELETE', `${URL}${ids[3]}`)
  const { status, body } = await check({ ids: ids.toReversed(), origin: `${origin}/dashboards?x` })
  expect([status, body.objects]).toEqual([
    200,
    [
      { id: ids[0], embed_link: `${base}/report`, problem: null, status: 200, embedding: 'allowed' },
      { id: ids[1], embed_link: `${base}/refused`, problem: null, status: 200, embedding: 'x_frame_options' },
      { id: ids[2], embed_link: `${base}/missing`, problem: 'status', status: 404, embedding: null },
    ],
  ])
})

test.each([
  [{ ids: [], origin }, 'Choose at least one dashboard.'],
  [{ ids: [1, 2, 3, 4, 5, 6], origin }, 'At most 5 links at once.'],
  [{ ids: [1], origin: 'javascript:x' }, 'Must be an address that starts with http:// or https://.'],
])('%j is refused', async (body, message) => {
  const response = await check(body)
  expect([response.status, errorText(response.body)]).toEqual([422, expect.stringContaining(message)])
})

test('private addresses are refused unless the setting allows them', async () => {
  const body = { name: 'Reach', embed_link: `${base}/report` }
  const { id } = (await byDefault.admin<Dashboard>('POST', URL, body)).body
  const response = await byDefault.admin('POST', `${URL}check_links`, { ids: [id], origin })
  const result = { id, embed_link: body.embed_link, problem: 'private_address', status: null, embedding: null }
  expect(response.body).toEqual({ objects: [result] })
})

test('a caller who loses access while waiting gets no result, and too many calls get 503', async () => {
  const id = await newDashboard('/silent')
  const { id: user_id, call: leaving } = await watchdesk.createPerson({ is_admin: true, is_super_admin: true })
  const { slowReads } = watchdesk.deps.semaphores
  const call = leaving('POST', `${URL}check_links`, { ids: [id], origin })
  await expect.poll(() => waiting.size).toBe(1)
  const others = slowReads.limit - 1 + 12
  const me = (await watchdesk.admin<{ id: number }>('GET', '/api/v1/users/me')).body.id
  const calls = Array.from({ length: others }, () => check({ ids: [id], origin }))
  // All of them run or wait, so that the next one is refused.
  await expect.poll(() => slowReads.count(me)).toBe(others)
  const refused = await check({ ids: [id], origin })
  expect([refused.status, errorText(refused.body)]).toEqual([
    503,
    'Too many links are being checked. Try again in a moment.',
  ])
  await watchdesk.admin('DELETE', `/api/v1/users/${user_id}`)
  const answer = setInterval(() => {
    for (const response of waiting) response.end()
    waiting.clear()
  }, 5)
  expect((await call).status).toBe(401)
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200))
  clearInterval(answer)
})
