import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useFolder } from '../../../test/helpers/folder.ts'
import { startAnother, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { createEmbeddings } from '../../adapters/embeddings/embeddings.ts'
import { StartError } from '../../env.ts'
import { readCatalog } from './catalog.ts'

const watchdesk = useWatchdesk()

const OWN = {
  all_roles: ['reader', 'writer'],
  available_roles: ['reader'],
  all_featureflags: [],
  case_types: ['rumour'],
  default_case_types: ['rumour'],
  vectorization_models: { 'Small (fast)': 'small' },
  default_stories_vectors_model: 'small',
}

const dir = useFolder()

async function read(content: string) {
  const file = join(dir, 'catalog.json')
  await writeFile(file, content)
  return readCatalog(file)
}

test.each(['available_roles', 'all_roles', 'all_featureflags', 'case_types'])(
  '%s returns a list of strings',
  async (name) => {
    const { status, body } = await watchdesk.admin<string[]>('GET', `/api/v1/config/${name}`)
    expect(status).toBe(200)
    expect(body.length).toBeGreaterThan(0)
    expect(body.filter((item) => typeof item !== 'string')).toEqual([])
  },
)

test('vectorization_models returns a map of label to value', async () => {
  const { body } = await watchdesk.admin('GET', '/api/v1/config/vectorization_models')
  expect(body).toEqual({ 'Lexical (built in)': 'lexical' })
})

test('every default of the built-in catalog is one of its choices', async () => {
  const catalog = await readCatalog(undefined)
  expect(catalog.all_roles).toEqual(expect.arrayContaining(catalog.available_roles))
  expect(catalog.case_types).toEqual(expect.arrayContaining(catalog.default_case_types))
  expect(Object.values(catalog.vectorization_models)).toContain(catalog.default_stories_vectors_model)
})

test("an operator's file replaces the built-in catalog", async () => {
  const embeddings = createEmbeddings({ EMBEDDINGS_URL: 'http://models.example', EMBEDDINGS_MODELS: 'small' })
  const { admin: call } = await startAnother(watchdesk, { embeddings, catalog: await read(JSON.stringify(OWN)) })
  expect((await call('GET', '/api/v1/config/all_roles')).body).toEqual(['reader', 'writer'])
  expect((await call('GET', '/api/v1/config/available_roles')).body).toEqual(['reader'])
  expect((await call('GET', '/api/v1/config/all_featureflags')).body).toEqual([])
  expect((await call('GET', '/api/v1/config/vectorization_models')).body).toEqual({ 'Small (fast)': 'small' })
})

test.each([
  ['not JSON', '{', 'CATALOG_FILE: is not valid JSON'],
  ['a field too few', { ...OWN, all_roles: undefined }, /^CATALOG_FILE: all_roles: /],
  ['a field too many', { ...OWN, roles: [] }, /^CATALOG_FILE: .*roles/],
  ['a wrong type', { ...OWN, case_types: 'rumour' }, /^CATALOG_FILE: case_types: /],
  [
    'a default role that is none',
    { ...OWN, available_roles: ['wizard'] },
    'CATALOG_FILE: available_roles contains a role that is not in all_roles',
  ],
  [
    'a default case type that is none',
    { ...OWN, default_case_types: ['gossip'] },
    'CATALOG_FILE: default_case_types contains a case type that is not in case_types',
  ],
  [
    'a default model that is none',
    { ...OWN, default_stories_vectors_model: 'oracle' },
    'CATALOG_FILE: default_stories_vectors_model is not among vectorization_models',
  ],
])('a file with %s stops the start with one line', async (_what, content, message) => {
  const error = await read(typeof content === 'string' ? content : JSON.stringify(content)).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StartError)
  expect(error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  expect(error.message).not.toContain('\n')
})

test('a missing file prevents the start too', async () => {
  await expect(readCatalog(join(dir, 'missing.json'))).rejects.toThrow(/^CATALOG_FILE: cannot be read \(ENOENT/)
})
