import type { ErrorBody } from '@watchdesk/contract/errors'
import { beforeAll, expect, test } from 'vitest'
import { type Operation, readOperations } from '../helpers/operations.ts'
import { addressOf, validBody, validCall } from '../helpers/requests.ts'
import { type Answer, useWatchdesk } from '../helpers/watchdesk.ts'
import { fieldsOf, replaced, wrongTexts, wrongValues } from '../helpers/wrong-values.ts'

const operations = await readOperations()
const withBody = operations.filter(({ body }) => body !== undefined)
const withQuery = operations.filter(({ parameters }) => parameters.some((parameter) => parameter.in === 'query'))
const withId = operations.filter(({ parameters }) => parameters.some((parameter) => parameter.in === 'path'))

const watchdesk = useWatchdesk()
const addresses = new Map<Operation, string>()

beforeAll(async () => {
  for (const operation of operations) addresses.set(operation, await addressOf(watchdesk, operation, 'foreign', 1))
})

function send(operation: Operation, address: string, body?: unknown) {
  const { method } = operation
  if (operation.form) return watchdesk.admin<ErrorBody>(method, address, ...validCall(operation))
  const json = body === undefined ? undefined : JSON.stringify(body)
  return watchdesk.admin<ErrorBody>(method, address, json, json ? { 'content-type': 'application/json' } : {})
}

/** True for a 422 whose list of errors says where the wrong value stands. */
function names({ status, body }: Answer<ErrorBody>, loc: (string | number)[]) {
  const errors = Array.isArray(body.detail) ? body.detail : []
  return status === 422 && errors.some((error) => loc.every((part, index) => error.loc[index] === part))
}

test.each(withBody)('$name takes no wrong type in any field of its body, and names the field', async (operation) => {
  const fields = fieldsOf(operation.body ?? {})
  expect(fields.length).toBeGreaterThan(1)
  const accepted = []
  for (const { path, schema, isRequired } of fields) {
    const values = [...wrongValues(schema), ...(isRequired ? [undefined] : [])]
    expect(values.length).toBeGreaterThanOrEqual(8)
    for (const value of values) {
      const body = replaced(validBody(operation), path, value)
      const answer = await send(operation, addresses.get(operation) ?? '', body)
      if (!names(answer, ['body', ...path])) accepted.push({ path, value, status: answer.status, body: answer.body })
    }
  }
  expect(accepted).toEqual([])
})

test.each(withBody)('$name takes its body when every type is right', async (operation) => {
  const answer = await send(operation, addresses.get(operation) ?? '', validBody(operation))
  expect(answer.status).toBe(operation.status)
})

test.each(withQuery)('$name takes no wrong text in any parameter of its query, and names it', async (operation) => {
  const accepted = []
  const [address] = (addresses.get(operation) ?? '').split('?')
  for (const { name, schema } of operation.parameters.filter((parameter) => parameter.in === 'query')) {
    const once = wrongTexts(schema).map((text) => `${name}=${text}`)
    const isList = schema.type === 'array'
    for (const query of [...once, ...(isList ? [] : [`${name}=1&${name}=2`])]) {
      const answer = await send(operation, `${address}?${query}`)
      if (!names(answer, ['query', name])) accepted.push({ query, status: answer.status, body: answer.body })
    }
    for (const strange of [`${name}[]`, `${name}[0]`, `${name}.x`, name.toUpperCase()]) {
      const answer = await send(operation, `${address}?${strange}=1`)
      if (!names(answer, ['query', strange])) accepted.push({ strange, status: answer.status, body: answer.body })
    }
  }
  expect(accepted).toEqual([])
})

test.each(withId)('$name takes no wrong text for its id, and names it', async (operation) => {
  const accepted = []
  for (const { name, schema } of operation.parameters.filter((parameter) => parameter.in === 'path')) {
    // Without any text the address is another one.
    for (const text of wrongTexts(schema).filter((each) => each !== '')) {
      const answer = await send(operation, operation.path.replace(`{${name}}`, text), validBody(operation))
      if (!names(answer, ['path', name])) accepted.push({ text, status: answer.status, body: answer.body })
    }
  }
  expect(accepted).toEqual([])
})
