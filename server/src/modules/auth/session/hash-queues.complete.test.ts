import { expect, test } from 'vitest'
import { PASSWORD, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

const CONNECTIONS = 260
/** As many as are not refused. */
const OF_ONE_USER = 20
const NEW = 'another staple 8'

const watchdesk = useWatchdesk({}, { hasRealHashes: true })

async function workspaceAdmin() {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  const user = await watchdesk.createUser({ workspace_id, is_admin: true })
  const target = await watchdesk.createUser({ workspace_id })
  return { user, target, call: await watchdesk.signIn(user.email) }
}

test(`of ${CONNECTIONS} concurrent password changes by one admin, most get 429 with Retry-After`, async () => {
  const { target, call } = await workspaceAdmin()
  const change = () => call('PATCH', `/api/v1/users/${target.id}`, { password: NEW })
  const responses = await Promise.all(Array.from({ length: CONNECTIONS }, change))
  const refused = responses.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  for (const { headers, body } of refused) {
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(body).toEqual({ detail: 'You are setting too many passwords at once. Wait a moment and try again.' })
  }
  expect(responses.filter(({ status }) => ![200, 429, 503].includes(status))).toEqual([])
  expect((await change()).status).toBe(200)
})

test(`sign-ins do not wait for ${CONNECTIONS} running password changes`, async () => {
  const admins = await Promise.all(Array.from({ length: CONNECTIONS / OF_ONE_USER }, () => workspaceAdmin()))
  const { email } = await watchdesk.createUser({ is_admin: true })
  let changed = 0
  const changes = admins.flatMap(({ target, call }) =>
    Array.from({ length: OF_ONE_USER }, async () => {
      const response = await call('PATCH', `/api/v1/users/${target.id}`, { password: NEW })
      if (response.status === 200) changed += 1
      return response
    }),
  )
  const login = async (): Promise<number> => {
    const { status } = await watchdesk.anonymous('POST', '/api/v1/login', { email, password: PASSWORD })
    // The burst may keep the database of a slow machine busy for a moment.
    return status === 503 ? login() : status
  }
  const statuses = [await login(), await login(), await login()]
  const before = changed
  const responses = await Promise.all(changes)
  expect(statuses).toEqual([200, 200, 200])
  expect(before).toBeLessThan(CONNECTIONS / 2)
  expect(responses.filter(({ status }) => ![200, 503].includes(status))).toEqual([])
})
