import { type ErrorBody, errorText } from '@watchdesk/contract/errors'
import { beforeAll, expect, test } from 'vitest'
import { isForSessions, type Operation } from '../../helpers/operations.ts'
import { addressOf, placeOf, validBody, validCall } from '../../helpers/requests.ts'
import { mailSettings } from '../../helpers/smtp.ts'
import { ORIGIN } from '../../helpers/soft-passkey.ts'
import { useWatchdesk } from '../../helpers/watchdesk.ts'
import {
  acceptedAmong,
  acceptedValues,
  fieldsOf,
  inShares,
  wrongTexts,
  wrongValues,
} from '../../helpers/wrong-values.ts'

/** Values of wrong types, `most(call)` of them for each field of its body, parameter of its query and id. */
export function sweepWrongTypes(all: Operation[], most: (operation: Operation) => number) {
  const operations = all.filter(isForSessions)
  const withBody = operations.filter(({ body }) => body !== undefined)
  const withQuery = operations.filter((operation) => parametersOf(operation, 'query').length > 0)
  const withId = operations.filter((operation) => parametersOf(operation, 'path').length > 0)

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

  test.each(withBody)('$name rejects a wrong type in any field of its body, with the field', async (operation) => {
    const fields = fieldsOf(operation.body ?? {})
    expect(fields.length).toBeGreaterThan(1)
    for (const { schema, isRequired } of fields)
      expect(wrongValues(schema).length + Number(isRequired)).toBeGreaterThanOrEqual(8)
    const toIt = (body: unknown) => send(operation, addresses.get(operation) ?? '', body)
    expect(await acceptedValues(operation, toIt, most(operation))).toEqual([])
  })

  test.each(withBody)('$name rejects an unknown field in its body, with the field', async (operation) => {
    const body = { ...Object(validBody(operation)), unknown_field: 1 }
    const { status, body: refusal } = await send(operation, addresses.get(operation) ?? '', body)
    expect([status, errorText(refusal)]).toEqual([422, 'unknown_field is not a known field.'])
  })

  // The access matrix sends every call a valid body too.
  test.each(withBody.filter((operation) => most(operation) === Infinity))(
    '$name accepts a body with the right types',
    async (operation) => {
      const response = await send(operation, addresses.get(operation) ?? '', validBody(operation))
      expect(response.status).toBe(operation.status)
    },
  )

  test.each(withQuery)('$name rejects an invalid value in any query parameter, with its name', async (operation) => {
    const [address] = (addresses.get(operation) ?? '').split('?')
    const wrong = parametersOf(operation, 'query').flatMap(({ name, schema }, nth) => {
      const isList = schema.type === 'array'
      const texts = [...wrongTexts(schema), ...(isList ? [] : [`1&${name}=2`])]
      const strange = [...(isList ? [] : [`${name}[]`]), `${name}[0]`, `${name}.x`, name.toUpperCase()]
      const every = [...texts.map((text) => ({ name, text })), ...strange.map((each) => ({ name: each, text: '1' }))]
      return inShares(every, nth, most(operation))
    })
    const accepted = await acceptedAmong(wrong, {
      isApart: (one, other) => one.name !== other.name,
      locOf: ({ name }) => ['query', name],
      send: (some) => send(operation, `${address}?${some.map(({ name, text }) => `${name}=${text}`).join('&')}`),
    })
    expect(accepted).toEqual([])
  })

  test.each(withId)('$name rejects an invalid id, with the parameter', async (operation) => {
    const wrong = parametersOf(operation, 'path').flatMap(({ name, schema }) =>
      // An empty text would make a different address.
      inShares(
        wrongTexts(schema).filter((text) => text !== ''),
        withId.indexOf(operation),
        most(operation),
      ).map((text) => ({ name, text })),
    )
    const accepted = await acceptedAmong(wrong, {
      isApart: () => false,
      locOf: ({ name }) => ['path', name],
      send: ([first]) =>
        send(operation, operation.path.replace(`{${first?.name}}`, first?.text ?? ''), validBody(operation)),
    })
    expect(accepted).toEqual([])
  })
}

function parametersOf({ parameters }: Operation, place: 'query' | 'path') {
  return parameters.filter((parameter) => parameter.in === place)
}
