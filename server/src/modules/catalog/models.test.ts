import { errorText } from '@watchdesk/contract/errors'
import { expect, test } from 'vitest'
import { QUOTAS, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { readCatalog, withRunnableModels } from './catalog.ts'

const watchdesk = useWatchdesk({ EMBEDDINGS_URL: 'http://models.example', EMBEDDINGS_MODELS: 'small, large' })

test('the models of the embeddings server are offered in addition to the built-in one, and can be chosen everywhere', async () => {
  const { body } = await watchdesk.admin('GET', '/api/v1/config/vectorization_models')
  expect(body).toEqual({ 'Lexical (built in)': 'lexical', small: 'small', large: 'large' })
  const workspace = { name: 'Small', ...QUOTAS, stories_vectors_model: 'small' }
  expect((await watchdesk.admin('POST', '/api/v1/workspaces/', workspace)).status).toBe(201)
  const patch = { default_stories_vectors_model: 'large' }
  expect((await watchdesk.admin('PATCH', '/api/v1/config/website_config', patch)).status).toBe(200)
  const other = await watchdesk.admin('PATCH', '/api/v1/config/website_config', {
    default_stories_vectors_model: 'huge',
  })
  expect([other.status, errorText(other.body)]).toEqual([422, 'huge is not one of the stories vectors models.'])
})

test('a catalog labels models of the server, and unavailable models are not offered', async () => {
  const catalog = await readCatalog(undefined)
  const labelled = { ...catalog, vectorization_models: { 'Small (fast)': 'small', Oracle: 'oracle' } }
  expect(withRunnableModels(labelled, ['lexical', 'small', 'large']).vectorization_models).toEqual({
    'Small (fast)': 'small',
    large: 'large',
  })
  expect(withRunnableModels(labelled, ['lexical']).vectorization_models).toEqual({})
})
