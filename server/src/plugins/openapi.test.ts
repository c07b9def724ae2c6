import { expect, test } from 'vitest'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'
import type { OpenapiDocument } from './openapi.ts'

const watchdesk = useWatchdesk()

test('the OpenAPI document describes calls with their parameters, body, answers and access', async () => {
  const { body } = await watchdesk.anonymous<OpenapiDocument>('GET', '/api/openapi.json')
  expect(body.openapi).toBe('3.1.0')
  const update = body.paths['/api/v1/users/{id}']?.patch
  expect(update?.summary).toBe('Edit a user')
  expect(update?.security).toEqual([{ token: [] }])
  expect(update?.parameters.map(({ name, in: place }) => `${place} ${name}`)).toEqual(['path id', 'header if-match'])
  expect(JSON.stringify(update?.requestBody)).toContain('first_name')
  expect(Object.keys(update?.responses ?? {})).toEqual(expect.arrayContaining(['200', '401', '404', '412', '422']))
  expect(body.paths['/api/v1/login']?.post?.security).toEqual([])
})
