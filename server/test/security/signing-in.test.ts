import type { ErrorBody } from '@watchdesk/contract/errors'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Operation, readOperations } from '../helpers/operations.ts'
import { FIRST_ADMIN, insertUser, openHalfSignIn, openSession, openToken } from '../helpers/people.ts'
import { addressOf, validCall } from '../helpers/requests.ts'
import { type Caller, caller, useWatchdesk } from '../helpers/watchdesk.ts'
import { acceptedValues } from '../helpers/wrong-values.ts'

const operations = (await readOperations()).filter(({ access }) => access === 'signing_in')
const withBody = operations.filter(({ body }) => body !== undefined)

const watchdesk = useWatchdesk()
let others: Record<string, Caller>

beforeAll(async () => {
  const { id } = await insertUser(watchdesk, { workspace_id: 1, is_admin: true })
  const expired = await openHalfSignIn(watchdesk, id, 'set_up')
  await sql`update pending_sign_ins set expires_at = now() where user_id = ${id}`.execute(watchdesk.database.db)
  others = {
    'no token': watchdesk.anonymous,
    'a session': await openSession(watchdesk, FIRST_ADMIN.id),
    'a token of a script': await openToken(watchdesk, FIRST_ADMIN.id),
    'a garbage token': caller(watchdesk.app, 'garbage'),
    'a sign-in that has expired': expired,
  }
})

/** Someone in the middle of a sign-in that the operation is for, and the address of the call. */
async function begin(operation: Operation) {
  const { id } = await insertUser(watchdesk, { workspace_id: 1, is_admin: true })
  const kind = operation.path.includes('set_up') ? 'set_up' : 'second_factor'
  return {
    call: await openHalfSignIn(watchdesk, id, kind),
    address: await addressOf(watchdesk, operation, 'own', 1, id),
  }
}

describe.each(operations)('$name', (operation) => {
  test('is refused without a sign-in that is not finished', async () => {
    const { address } = await begin(operation)
    for (const [name, call] of Object.entries(others)) {
      const { status } = await call(operation.method, address, ...validCall(operation))
      expect([name, status]).toEqual([name, 401])
    }
  })

  test('is allowed with one', async () => {
    const { call, address } = await begin(operation)
    const { status, body } = await call(operation.method, address, ...validCall(operation))
    expect([status, body]).toEqual([operation.status, expect.anything()])
  })
})

test.each(withBody)('$name rejects a wrong type in any field of its body, with the field', async (operation) => {
  const { call, address } = await begin(operation)
  const send = (body: unknown) =>
    call<ErrorBody>(operation.method, address, JSON.stringify(body), { 'content-type': 'application/json' })
  expect(await acceptedValues(operation, send)).toEqual([])
})

test('seven calls finish a sign-in', () => {
  expect(operations).toHaveLength(7)
})
