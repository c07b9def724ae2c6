import { errorText } from '@watchdesk/contract/errors'
import type { Run } from '@watchdesk/contract/narratives-vectorization'
import type { Page } from '@watchdesk/contract/page'
import { beforeAll, expect, test } from 'vitest'
import { insertNarrative } from '../../../test/helpers/narratives.ts'
import { openSession } from '../../../test/helpers/people.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const URL = '/api/v1/airflow/vectorize-narrative'
const watchdesk = useWatchdesk({ EMBEDDINGS_URL: 'http://models.example', EMBEDDINGS_MODELS: 'small,large' })

beforeAll(() => insertNarrative(watchdesk, 1, []))

async function triggerIn(stories_vectors_model: string | null) {
  const { id } = await watchdesk.createWorkspace({ stories_vectors_model })
  return triggerFrom(id)
}

async function triggerFrom(workspace_id: number) {
  const user = await watchdesk.createUser({ workspace_id, is_super_admin: true })
  const call = await openSession(watchdesk, user.id)
  const response = await call('POST', URL, { narrative_id: 1, platforms: [], content_types: [] })
  const { objects } = (await call<Page<Run>>('GET', `${URL}?page_size=1`)).body
  return { ...response, model: objects[0]?.model }
}

async function setDefault(default_stories_vectors_model: string) {
  await watchdesk.database.pool.query(
    `update website_config set values = values || jsonb_build_object('default_stories_vectors_model', $1::text)`,
    [default_stories_vectors_model],
  )
}

test("a run has the workspace's model, and without one the website config's", async () => {
  expect(await triggerIn('small')).toMatchObject({ status: 200, model: 'small' })
  expect(await triggerIn(null)).toMatchObject({ status: 200, model: 'lexical' })
  await setDefault('large')
  expect(await triggerIn(null)).toMatchObject({ status: 200, model: 'large' })
})

test('an unavailable model of a workspace is replaced by the default', async () => {
  await setDefault('large')
  const { id } = await watchdesk.createWorkspace()
  await watchdesk.database.pool.query(
    `update workspaces set config = config || '{"stories_vectors_model": "retired"}' where id = $1`,
    [id],
  )
  expect(await triggerFrom(id)).toMatchObject({ status: 200, model: 'large' })
})

test.each([
  ['retired', 'The model retired cannot run on this server. Choose another'],
  ['', 'No model is chosen. Choose one'],
])('with the default %j nothing is triggered or compared, and the error says what to do', async (model, reason) => {
  await setDefault(model)
  const detail = `${reason} as default_stories_vectors_model in the website config.`
  const triggered = await triggerIn(null)
  expect([triggered.status, errorText(triggered.body)]).toEqual([409, detail])
  const similar = await watchdesk.admin('GET', '/api/v1/narratives/1/similar?text=bridge')
  expect([similar.status, errorText(similar.body)]).toEqual([409, detail])
})
