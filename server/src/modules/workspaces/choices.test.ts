import { errorText } from '@watchdesk/contract/errors'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expect, test } from 'vitest'
import { caller, QUOTAS, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { buildApp } from '../../app.ts'

const watchdesk = useWatchdesk()

const MINIMAL = { name: 'Minimal', ...QUOTAS }

test.each([
  [{ roles: ['search', 'wizard'] }, 'roles: wizard is not among the choices.'],
  [{ featureflags: ['time_travel'] }, 'featureflags: time_travel is not among the choices.'],
  [{ available_case_types: ['fraud', 'gossip'] }, 'available_case_types: gossip is not among the choices.'],
  [{ stories_vectors_model: 'oracle' }, 'stories_vectors_model: oracle is not among the models.'],
  [{ powerbi_dashboards: [424_242] }, 'powerbi_dashboards: Dashboard 424242 does not exist.'],
])('%j is refused by name, when creating and when editing', async (choice, message) => {
  const answers = [
    await watchdesk.admin('POST', '/api/v1/workspaces/', { ...MINIMAL, ...choice }),
    await watchdesk.admin('PUT', '/api/v1/workspaces/1', { ...MINIMAL, ...choice }),
  ]
  for (const { status, body } of answers) {
    expect([status, errorText(body)]).toEqual([422, message])
    expect(body).toMatchObject({ detail: [{ loc: ['body', Object.keys(choice)[0]] }] })
  }
})

test('what a workspace holds may stay after it left the catalog, and nobody else may take it', async () => {
  const held = {
    roles: ['search', 'ucbi'],
    featureflags: ['sentiment'],
    available_case_types: ['fraud'],
    stories_vectors_model: 'lexical',
  }
  const { body } = await watchdesk.admin<Workspace>('POST', '/api/v1/workspaces/', { ...MINIMAL, ...held })
  const { deps, admin } = watchdesk
  const shrunk = await buildApp({
    ...deps,
    catalog: {
      ...deps.catalog,
      all_roles: ['search'],
      all_featureflags: [],
      case_types: [],
      vectorization_models: { Other: 'other' },
    },
  })
  const call = caller(shrunk, admin.token)
  const url = `/api/v1/workspaces/${body.id}`

  const renamed = await call<Workspace>('PUT', url, { ...MINIMAL, ...held, name: 'Renamed' })
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Renamed'])
  expect(renamed.body.config).toMatchObject(held)
  expect((await call('POST', '/api/v1/workspaces/', { ...MINIMAL, ...held })).status).toBe(422)
  expect((await call('PUT', url, { ...MINIMAL, ...held, featureflags: ['public_api'] })).status).toBe(422)
  expect((await call('PUT', url, { ...MINIMAL, ...held, roles: ['search'] })).status).toBe(200)
  const back = await call('PUT', url, { ...MINIMAL, ...held })
  expect([back.status, errorText(back.body)]).toEqual([422, 'roles: ucbi is not among the choices.'])
  await shrunk.close()
})
