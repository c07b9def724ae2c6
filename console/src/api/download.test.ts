import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { downloadSheet } from '@watchdesk/contract/sheets'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const INPUT = { params: { id: 7 }, query: { format: 'csv' } } as const
const PARTS = ['a,b\r\n', '1,2\r\n'.repeat(10_000)]

let disposition: string
let status = 200
let download: typeof import('./download.ts').download

const backend = createServer((_request, response) => {
  response.writeHead(status, { 'content-disposition': disposition })
  for (const part of PARTS) response.write(part)
  response.end()
})

beforeAll(async () => {
  await once(backend.listen(0, '127.0.0.1'), 'listening')
  vi.stubGlobal('localStorage', { getItem: () => 'secret' })
  vi.stubEnv('VITE_API_URL', `http://127.0.0.1:${(backend.address() as AddressInfo).port}`)
  // It reads the address once.
  vi.resetModules()
  download = (await import('./download.ts')).download
})

afterAll(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  backend.closeAllConnections()
  backend.close()
})

test.each([
  [`attachment; filename="a_.csv"; filename*=UTF-8''%D1%97%20a.csv`, 'ї a.csv'],
  ['attachment; filename="two words.csv"', 'two words.csv'],
  ['attachment; filename="say \\"no\\".csv"', 'say "no".csv'],
  ['attachment; filename=plain.csv', 'plain.csv'],
  [`attachment; filename="good.csv"; filename*=UTF-8''%E0%A4%A`, 'good.csv'],
  ['inline', undefined],
])('%s names the file %s', async (header, name) => {
  disposition = header
  expect((await download(downloadSheet, INPUT, () => {})).name).toBe(name)
})

test('the file is complete, and its bytes are counted while downloading', async () => {
  disposition = 'attachment'
  const reported: number[] = []
  const { file } = await download(downloadSheet, INPUT, (bytes) => reported.push(bytes))
  expect(await file.text()).toBe(PARTS.join(''))
  expect(reported.at(-1)).toBe(file.size)
  expect(reported).toEqual([...reported].sort((a, b) => a - b))
})

test('an error response is not a file', async () => {
  status = 404
  await expect(download(downloadSheet, INPUT, () => {})).rejects.toMatchObject({ name: 'ApiError', status: 404 })
})
