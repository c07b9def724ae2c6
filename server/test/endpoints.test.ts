import { readdirSync } from 'node:fs'
import type { Endpoint } from '@watchdesk/contract/endpoint'
import { expect, test } from 'vitest'
import type { OpenapiDocument } from '../src/plugins/openapi.ts'
import { useWatchdesk } from './helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const CONTRACT = new URL('../../contract/src/', import.meta.url)

test('every endpoint of the contract has a route', async () => {
  const files = readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.(schema|test)\.ts$/.test(file),
  )
  const exported = await Promise.all(files.map((file) => import(new URL(file, CONTRACT).href)))
  const endpoints = exported.flatMap((values) => Object.values<unknown>(values)).filter(isEndpoint)
  expect(endpoints.length).toBeGreaterThan(100)
  const { body } = await watchdesk.anonymous<OpenapiDocument>('GET', '/api/openapi.json')
  const lacksRoute = ({ method, url }: Endpoint) =>
    body.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] === undefined
  expect(endpoints.filter(lacksRoute).map(({ method, url }) => `${method} ${url}`)).toEqual([])
})

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'url' in value
}
