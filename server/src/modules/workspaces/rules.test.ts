import { errorText } from '@watchdesk/contract/errors'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expect, test } from 'vitest'
import { QUOTAS, startAnother, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const MINIMAL = { name: 'Minimal', ...QUOTAS }

test.each([
  [{ roles: ['search', 'wizard'] }, 'wizard is not a valid choice for roles.'],
  [{ featureflags: ['time_travel'] }, 'time_travel is not a valid choice for featureflags.'],
  [{ available_case_types: ['fraud', 'gossip'] }, 'gossip is not a valid choice for available_case_types.'],
  [{ stories_vectors_model: 'oracle' }, 'oracle is not one of the stories vectors models.'],
  [{ powerbi_dashboards: [424_242] }, 'Dashboard 424242 does not exist.'],
])('%j is refused by name, when creating and when editing', async (choice, message) => {
  const responses = [
    await watchdesk.admin('POST', '/api/v1/workspaces/', { ...MINIMAL, ...choice }),
    await watchdesk.admin('PUT', '/api/v1/workspaces/1', { ...MINIMAL, ...choice }),
  ]
  for (const { status, body } of responses) {
    expect([status, errorText(body)]).toEqual([422, message])
    expect(body).toMatchObject({ detail: [{ loc: ['body', Object.keys(choice)[0]] }] })
  }
})

test('a workspace may keep a value that left the catalog, and no other workspace may choose it', async () => {
  const held = {
    roles: ['search', 'ucbi'],
    featureflags: ['sentiment'],
    available_case_types: ['fraud'],
    stories_vectors_model: 'lexical',
  }
  const { body } = await watchdesk.admin<Workspace>('POST', '/api/v1/workspaces/', { ...MINIMAL, ...held })
  const { admin: call } = await startAnother(watchdesk, {
    catalog: {
      ...watchdesk.deps.catalog,
      all_roles: ['search'],
      all_featureflags: [],
      case_types: [],
      vectorization_models: { Other: 'other' },
    },
  })
  const url = `/api/v1/workspaces/${body.id}`

  const renamed = await call<Workspace>('PUT', url, { ...MINIMAL, ...held, name: 'Renamed' })
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Renamed'])
  expect(renamed.body.config).toMatchObject(held)
  expect((await call('POST', '/api/v1/workspaces/', { ...MINIMAL, ...held })).status).toBe(422)
  expect((await call('PUT', url, { ...MINIMAL, ...held, featureflags: ['public_api'] })).status).toBe(422)
  expect((await call('PUT', url, { ...MINIMAL, ...held, roles: ['search'] })).status).toBe(200)
  const back = await call('PUT', url, { ...MINIMAL, ...held })
  expect([back.status, errorText(back.body)]).toEqual([422, 'ucbi is not a valid choice for roles.'])
})
