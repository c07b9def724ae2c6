import type { Dashboard } from '@watchdesk/contract/dashboards'
import { errorText } from '@watchdesk/contract/errors'
import type { Page } from '@watchdesk/contract/page'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { describe, expect, test } from 'vitest'
import { QUOTAS, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const URL = '/api/v1/powerbi_dashboards/'
const REACH = { name: 'Reach', description: 'Weekly reach', embed_link: 'https://app.powerbi.com/view?r=abc#x' }

const post = (body: object) => watchdesk.admin<Dashboard>('POST', URL, body)
const patch = (id: number, body: object, headers = {}) =>
  watchdesk.admin<Dashboard>('PATCH', `${URL}${id}`, body, headers)
const remove = (id: number) => watchdesk.admin('DELETE', `${URL}${id}`)
const restore = (id: number) => watchdesk.admin<Dashboard>('POST', `${URL}${id}/restore`)

async function all() {
  const { body } = await watchdesk.admin<Page<Dashboard>>('GET', URL)
  expect([body.total, body.size]).toEqual([body.objects.length, body.objects.length])
  return body.objects
}

test('a created dashboard is listed and read as it was sent', async () => {
  const created = await post(REACH)
  expect([created.status, created.headers.etag]).toEqual([201, '"1"'])
  expect(created.body).toEqual({ id: expect.any(Number), ...REACH, version: 1 })
  const read = { ...created.body, workspaces_count: 0 }
  expect(await all()).toContainEqual(read)
  const one = await watchdesk.admin('GET', `${URL}${created.body.id}`)
  expect([one.status, one.body]).toEqual([200, read])
})

test('the list contains all of them, however many, ordered by id', async () => {
  const before = await all()
  for (let count = 0; count < 25; count++) await post(REACH)
  const ids = (await all()).map(({ id }) => id)
  expect(ids).toHaveLength(before.length + 25)
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
})

test('a description can be left out, empty or removed', async () => {
  const { name, embed_link } = REACH
  const { body } = await post({ name, embed_link })
  expect(body.description).toBeNull()
  expect((await patch(body.id, { description: 'New' })).body.description).toBe('New')
  expect((await patch(body.id, { description: null })).body.description).toBeNull()
})

test.each([{ name: 'Renamed' }, { description: 'Other' }, { embed_link: 'http://bi.example.com/x' }])(
  'editing %j changes that and nothing else',
  async (change) => {
    const { body } = await post(REACH)
    const edited = await patch(body.id, change)
    expect([edited.status, edited.body]).toEqual([200, { ...body, ...change, version: 2 }])
    expect((await patch(body.id, change)).body.version).toBe(2)
    expect((await patch(body.id, {})).body).toEqual(edited.body)
  },
)

describe('what is refused', () => {
  const BAD_LINK = 'Embed link must be a valid URL that starts with http:// or https://.'

  test('a body without fields', async () => {
    const response = await post({})
    expect([response.status, errorText(response.body)]).toEqual([422, 'Name is required!\nEmbed link is required!'])
  })

  test.each([
    [{ name: '' }, 'Name is required!'],
    [{ name: ' ' }, 'Name is required!'],
    [{ embed_link: '' }, 'Embed link is required!'],
    [{ embed_link: 'reach' }, BAD_LINK],
    [{ embed_link: 'ftp://example.com' }, BAD_LINK],
    [{ embed_link: 'javascript:alert(1)' }, BAD_LINK],
    [{ embed_link: 'data:text/html,x' }, BAD_LINK],
    [{ embed_link: 'https://' }, BAD_LINK],
    [{ description: 5 }, /^description: Invalid/],
    [{ title: 'x' }, 'title is not a known field.'],
  ])('%j', async (field, message) => {
    const created = await post({ ...REACH, ...field })
    expect(created.status).toBe(422)
    expect(errorText(created.body)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
    const { body } = await post(REACH)
    expect((await patch(body.id, field)).status).toBe(422)
  })

  test('a stale version: 412 with who changed it and when', async () => {
    const { body } = await post(REACH)
    await patch(body.id, { name: 'Changed' }, { 'if-match': '"1"' })
    const stale = await patch(body.id, { name: 'Stale' }, { 'if-match': '"1"' })
    expect(stale.status).toBe(412)
    expect(errorText(stale.body)).toMatch(/^This dashboard was changed by Super Admin at \S+Z\.$/)
  })

  test('what does not exist: 404', async () => {
    const responses = [
      await watchdesk.admin('GET', `${URL}2147483647`),
      await patch(2_147_483_647, {}),
      await remove(2_147_483_647),
      await restore(2_147_483_647),
    ]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })
})

describe('deleting', () => {
  async function workspaceWith(powerbi_dashboards: number[]) {
    const body = { name: 'With dashboards', ...QUOTAS, powerbi_dashboards }
    return (await watchdesk.admin<Workspace>('POST', '/api/v1/workspaces/', body)).body
  }
  const read = async (id: number) => (await watchdesk.admin<Workspace>('GET', `/api/v1/workspaces/${id}`)).body

  test('removes a dashboard from the list and by id, and a restore brings it back', async () => {
    const { body } = await post(REACH)
    expect((await remove(body.id)).status).toBe(204)
    expect((await all()).map(({ id }) => id)).not.toContain(body.id)
    expect((await watchdesk.admin('GET', `${URL}${body.id}`)).status).toBe(404)
    expect((await remove(body.id)).status).toBe(404)
    const restored = await restore(body.id)
    expect([restored.status, restored.body]).toEqual([200, { ...body, version: 3 }])
    expect((await restore(body.id)).status).toBe(404)
  })

  test('removes it from the workspaces that list it, and a restore puts it back at its position', async () => {
    const [a, b, c] = [(await post(REACH)).body.id, (await post(REACH)).body.id, (await post(REACH)).body.id]
    const workspace = await workspaceWith([c, a, b])
    await remove(a)
    const without = await read(workspace.id)
    expect(without.config.powerbi_dashboards).toEqual([c, b])
    expect(without.version).toBe(2)
    await restore(a)
    expect((await read(workspace.id)).config.powerbi_dashboards).toEqual([c, a, b])
  })

  test('a form of such a workspace opened earlier cannot overwrite the change', async () => {
    const { body } = await post(REACH)
    const workspace = await workspaceWith([body.id])
    await remove(body.id)
    const { name } = workspace
    const stale = await watchdesk.admin(
      'PUT',
      `/api/v1/workspaces/${workspace.id}`,
      { name, ...QUOTAS, powerbi_dashboards: [] },
      { 'if-match': '"1"' },
    )
    expect(stale.status).toBe(412)
  })

  test('an edit of something else in the meantime does not change its position', async () => {
    const [a, b] = [(await post(REACH)).body.id, (await post(REACH)).body.id]
    const workspace = await workspaceWith([b, a])
    await remove(b)
    const edit = { name: 'Renamed', ...QUOTAS, powerbi_dashboards: [a] }
    expect((await watchdesk.admin('PUT', `/api/v1/workspaces/${workspace.id}`, edit)).status).toBe(200)
    await restore(b)
    expect((await read(workspace.id)).config.powerbi_dashboards).toEqual([b, a])
  })

  test('while workspaces that list them are edited, all succeed or report a conflict', async () => {
    for (let round = 0; round < 10; round++) {
      const ids = await Promise.all(Array.from({ length: 4 }, async () => (await post(REACH)).body.id))
      const workspaces = await Promise.all([workspaceWith(ids), workspaceWith([...ids].reverse())])
      const edits = workspaces.flatMap(({ id }) =>
        [1, 2].map((limit) => {
          const body = { name: 'Edited', ...QUOTAS, ai_quota: { ...QUOTAS.ai_quota, limit }, powerbi_dashboards: ids }
          return watchdesk.admin('PUT', `/api/v1/workspaces/${id}`, body)
        }),
      )
      const responses = await Promise.all([...edits, ...ids.slice(0, 2).map(remove)])
      expect(responses.map(({ status }) => status).filter((status) => ![200, 204, 422].includes(status))).toEqual([])
      for (const { id } of workspaces) {
        expect((await read(id)).config.powerbi_dashboards.sort()).toEqual(ids.slice(2).sort())
      }
    }
  })
})
