import type { ErrorBody } from '@watchdesk/contract/errors'
import { beforeAll, expect, test } from 'vitest'
import { isForSessions, type Operation, readOperations } from '../helpers/operations.ts'
import { addressOf, placeOf, validBody, validCall } from '../helpers/requests.ts'
import { mailSettings } from '../helpers/smtp.ts'
import { ORIGIN } from '../helpers/soft-passkey.ts'
import { type ApiResponse, useWatchdesk } from '../helpers/watchdesk.ts'
import { fieldsOf, replaced, wrongTexts, wrongValues } from '../helpers/wrong-values.ts'

const operations = (await readOperations()).filter(isForSessions)
const withBody = operations.filter(({ body }) => body !== undefined)
const withQuery = operations.filter(({ parameters }) => parameters.some((parameter) => parameter.in === 'query'))
const withId = operations.filter(({ parameters }) => parameters.some((parameter) => parameter.in === 'path'))

const watchdesk = useWatchdesk({ ...mailSettings(), PUBLIC_URL: ORIGIN })
const addresses = new Map<Operation, string>()

beforeAll(async () => {
  for (const operation of operations) {
    addresses.set(operation, await addressOf(watchdesk, operation, placeOf(operation), 1))
  }
})

function send(operation: Operation, address: string, body?: unknown) {
  const { method } = operation
  if (operation.form) return watchdesk.admin<ErrorBody>(method, address, ...validCall(operation))
  const json = body === undefined ? undefined : JSON.stringify(body)
  return watchdesk.admin<ErrorBody>(method, address, json, json ? { 'content-type': 'application/json' } : {})
}

/** Whether the response is a 422 whose errors contain the location of the wrong value. */
function names({ status, body }: ApiResponse<ErrorBody>, loc: (string | number)[]) {
  const errors = Array.isArray(body.detail) ? body.detail : []
  return status === 422 && errors.some((error) => loc.every((part, index) => error.loc[index] === part))
}

test.each(withBody)('$name rejects a wrong type in any field of its body, with the field', async (operation) => {
  const fields = fieldsOf(operation.body ?? {})
  expect(fields.length).toBeGreaterThan(1)
  const accepted = []
  for (const { path, schema, isRequired } of fields) {
    const values = [...wrongValues(schema), ...(isRequired ? [undefined] : [])]
    expect(values.length).toBeGreaterThanOrEqual(8)
    for (const value of values) {
      const body = replaced(validBody(operation), path, value)
      const response = await send(operation, addresses.get(operation) ?? '', body)
      if (!names(response, ['body', ...path]))
        accepted.push({ path, value, status: response.status, body: response.body })
    }
  }
  expect(accepted).toEqual([])
})

test.each(withBody)('$name accepts a body with the right types', async (operation) => {
  const response = await send(operation, addresses.get(operation) ?? '', validBody(operation))
  expect(response.status).toBe(operation.status)
})

test.each(withQuery)('$name rejects an invalid value in any query parameter, with its name', async (operation) => {
  const accepted = []
  const [address] = (addresses.get(operation) ?? '').split('?')
  for (const { name, schema } of operation.parameters.filter((parameter) => parameter.in === 'query')) {
    const once = wrongTexts(schema).map((text) => `${name}=${text}`)
    const isList = schema.type === 'array'
    for (const query of [...once, ...(isList ? [] : [`${name}=1&${name}=2`])]) {
      const response = await send(operation, `${address}?${query}`)
      if (!names(response, ['query', name])) accepted.push({ query, status: response.status, body: response.body })
    }
    for (const strange of [...(isList ? [] : [`${name}[]`]), `${name}[0]`, `${name}.x`, name.toUpperCase()]) {
      const response = await send(operation, `${address}?${strange}=1`)
      if (!names(response, ['query', strange])) accepted.push({ strange, status: response.status, body: response.body })
    }
  }
  expect(accepted).toEqual([])
})

test.each(withId)('$name rejects an invalid id, with the parameter', async (operation) => {
  const accepted = []
  for (const { name, schema } of operation.parameters.filter((parameter) => parameter.in === 'path')) {
    // An empty text would make a different address.
    for (const text of wrongTexts(schema).filter((each) => each !== '')) {
      const response = await send(operation, operation.path.replace(`{${name}}`, text), validBody(operation))
      if (!names(response, ['path', name])) accepted.push({ text, status: response.status, body: response.body })
    }
  }
  expect(accepted).toEqual([])
})
