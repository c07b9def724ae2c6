import type { AuditEvent } from '@watchdesk/contract/activity'
import type { Dashboard, DashboardWorkspace, DashboardWorkspacesChanged } from '@watchdesk/contract/dashboards'
import { errorText } from '@watchdesk/contract/errors'
import { LIST_LENGTH } from '@watchdesk/contract/limits'
import type { Page } from '@watchdesk/contract/page'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { during, waitForLocks } from '../../../test/helpers/locks.ts'
import { QUOTAS, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const URL = '/api/v1/powerbi_dashboards/'
const NOWHERE = 2_147_483_647

async function newWorkspace(powerbi_dashboards: number[] = [], name = 'Atlas Media') {
  return (await watchdesk.createWorkspace({ name, powerbi_dashboards })).id
}

const change = (id: number, body: object) =>
  watchdesk.admin<DashboardWorkspacesChanged>('POST', `${URL}${id}/workspaces`, body)
const attach = (id: number, ...ids: number[]) => change(id, { attach: ids.map((workspace) => ({ id: workspace })) })
const readWorkspace = async (id: number) => (await watchdesk.admin<Workspace>('GET', `/api/v1/workspaces/${id}`)).body
const dashboardsOf = async (id: number) => (await readWorkspace(id)).config.powerbi_dashboards

async function shownBy(id: number, query = '') {
  const { body } = await watchdesk.admin<Page<DashboardWorkspace>>('GET', `${URL}${id}/workspaces${query}`)
  return body
}

async function countOf(id: number) {
  const { body } = await watchdesk.admin<Page<Dashboard>>('GET', URL)
  const one = await watchdesk.admin<Dashboard>('GET', `${URL}${id}`)
  const listed = body.objects.find((dashboard) => dashboard.id === id)?.workspaces_count
  expect(one.body.workspaces_count).toBe(listed)
  return listed
}

async function newestEvent(query: string) {
  return (await watchdesk.eventsOf(`${query}&page_size=1`))[0] as AuditEvent
}

describe('the workspaces of a dashboard', () => {
  test('are counted and listed, without deleted ones, a page at a time and searched', async () => {
    const id = await watchdesk.createDashboard()
    expect([await countOf(id), (await shownBy(id)).objects]).toEqual([0, []])
    const ids: number[] = []
    for (const name of ['Beacon', 'Atlas', 'Civic 50%', 'Gone']) ids.push(await newWorkspace([id], name))
    await watchdesk.admin('DELETE', `/api/v1/workspaces/${ids[3]}`)
    expect(await countOf(id)).toBe(3)
    expect(await shownBy(id)).toEqual({
      objects: ['Beacon', 'Atlas', 'Civic 50%'].map((name, index) => ({
        ...{ id: ids[index], name, description: '', status: null },
      })),
      total: 3,
      size: 20,
    })
    const names = async (query: string) => (await shownBy(id, query)).objects.map(({ name }) => name)
    expect(await names('?sort=name')).toEqual(['Atlas', 'Beacon', 'Civic 50%'])
    expect(await names('?sort=-name&page=2&page_size=2')).toEqual(['Atlas'])
    expect(await names('?search=50%25')).toEqual(['Civic 50%'])
    expect(await names('?search=gone')).toEqual([])
  })

  test('of a dashboard that does not exist or is deleted: 404', async () => {
    const id = await watchdesk.createDashboard()
    await watchdesk.admin('DELETE', `${URL}${id}`)
    for (const missing of [id, NOWHERE]) {
      expect((await watchdesk.admin('GET', `${URL}${missing}/workspaces`)).status).toBe(404)
      expect((await attach(missing, 1)).status).toBe(404)
    }
  })
})

describe('attaching and detaching', () => {
  test('adds the dashboard after the others, takes it off, and says what changed', async () => {
    const [other, id] = [await watchdesk.createDashboard(), await watchdesk.createDashboard()]
    const [a, b, c] = [await newWorkspace([other]), await newWorkspace([id, other]), await newWorkspace()]
    const { status, body } = await change(id, { attach: [{ id: c }, { id: a }], detach: [b] })
    expect([status, body]).toEqual([
      200,
      {
        attached: [
          { id: a, position: 1 },
          { id: c, position: 0 },
        ],
        detached: [{ id: b, position: 0 }],
      },
    ])
    expect([await dashboardsOf(a), await dashboardsOf(b), await dashboardsOf(c)]).toEqual([[other, id], [other], [id]])
    expect(await countOf(id)).toBe(2)
  })

  test('is undone by sending the result back, to the same position', async () => {
    const [first, id, last] = [
      await watchdesk.createDashboard(),
      await watchdesk.createDashboard(),
      await watchdesk.createDashboard(),
    ]
    const workspace = await newWorkspace([first, id, last])
    const { detached } = (await change(id, { detach: [workspace] })).body
    expect(await dashboardsOf(workspace)).toEqual([first, last])
    const undone = await change(id, { attach: detached })
    expect([undone.status, undone.body.attached]).toEqual([200, detached])
    expect(await dashboardsOf(workspace)).toEqual([first, id, last])
  })

  test('is one event of the dashboard, and an edit in the history of each workspace, which can be put back', async () => {
    const [other, id] = [await watchdesk.createDashboard(), await watchdesk.createDashboard('Weekly reach')]
    const [a, b] = [await newWorkspace([other]), await newWorkspace([id])]
    await change(id, { attach: [{ id: a }], detach: [b] })
    const event = await newestEvent(`entity=dashboard&entity_id=${id}`)
    expect(event).toMatchObject({
      action: 'update',
      record: { name: 'Weekly reach' },
      version: null,
      changes: { workspaces: { before: 1, after: 1 } },
      parts: 2,
    })
    for (const [workspace, before, after] of [
      [a, [other], [other, id]],
      [b, [id], []],
    ] as const) {
      const part = await newestEvent(`entity=workspace&entity_id=${workspace}&changes_only=true`)
      expect(part).toMatchObject({
        parent_id: event.id,
        version: 2,
        changes: { powerbi_dashboards: { before, after } },
      })
      expect((await readWorkspace(workspace)).version).toBe(2)
    }
    const part = await newestEvent(`entity=workspace&entity_id=${b}&changes_only=true`)
    const back = { side: 'before', fields: ['powerbi_dashboards'] }
    expect((await watchdesk.admin('POST', `/api/v1/audit/${part.id}/put_back`, back)).status).toBe(200)
    expect(await dashboardsOf(b)).toEqual([id])
  })

  test('a form of the workspace opened earlier cannot overwrite it; one of the dashboard still saves', async () => {
    const id = await watchdesk.createDashboard()
    const workspace = await newWorkspace()
    await attach(id, workspace)
    const edit = { name: 'Stale', ...QUOTAS, powerbi_dashboards: [] }
    const stale = await watchdesk.admin('PUT', `/api/v1/workspaces/${workspace}`, edit, { 'if-match': '"1"' })
    expect(stale.status).toBe(412)
    const saved = await watchdesk.admin('PATCH', `${URL}${id}`, { name: 'Renamed' }, { 'if-match': '"1"' })
    expect(saved.status).toBe(200)
  })

  test('what is so already changes nothing and writes no event', async () => {
    const id = await watchdesk.createDashboard()
    const [shown, hidden] = [await newWorkspace([id]), await newWorkspace()]
    const before = await newestEvent('entity=dashboard')
    const responses = [
      await change(id, { attach: [{ id: shown, position: 5 }], detach: [hidden, NOWHERE] }),
      await change(id, {}),
    ]
    expect(responses.map(({ status, body }) => [status, body])).toEqual(
      responses.map(() => [200, { attached: [], detached: [] }]),
    )
    expect((await readWorkspace(shown)).version).toBe(1)
    expect(await newestEvent('entity=dashboard')).toEqual(before)
  })

  test('nothing is saved if a workspace does not exist or is deleted', async () => {
    const id = await watchdesk.createDashboard()
    const [workspace, gone] = [await newWorkspace(), await newWorkspace()]
    await watchdesk.admin('DELETE', `/api/v1/workspaces/${gone}`)
    for (const missing of [gone, NOWHERE]) {
      const response = await attach(id, workspace, missing)
      expect([response.status, errorText(response.body)]).toEqual([422, `Workspace ${missing} does not exist.`])
    }
    expect(await dashboardsOf(workspace)).toEqual([])
  })

  test('a workspace that shows the maximum is refused with its name', async () => {
    const { db } = watchdesk.database
    const id = await watchdesk.createDashboard()
    const workspace = await newWorkspace([], 'Full')
    await sql`with made as (insert into powerbi_dashboards (name, embed_link)
        select 'D', 'https://bi.example.com/' from generate_series(1, ${LIST_LENGTH}::int) returning id)
      insert into workspace_dashboards select ${workspace}::int, id, 0 from made`.execute(db)
    const response = await attach(id, workspace)
    expect([response.status, errorText(response.body)]).toEqual([
      409,
      `Full already shows ${LIST_LENGTH} dashboards, which is the maximum.`,
    ])
    expect(await dashboardsOf(workspace)).toHaveLength(LIST_LENGTH)
  })

  test.each([
    [{ attach: [{ id: 1 }, { id: 1 }] }, 'The same workspace is listed twice.'],
    [{ attach: [{ id: 1 }], detach: [1] }, 'The same workspace is listed twice.'],
    [{ detach: Array.from({ length: 1001 }, (_, index) => index + 1) }, 'At most 1,000 workspaces at once.'],
  ])('%j is refused', async (body, message) => {
    const response = await change(await watchdesk.createDashboard(), body)
    expect([response.status, errorText(response.body)]).toEqual([422, expect.stringContaining(message)])
  })

  test.each([
    ['it is taken off workspaces', (id: number, workspace: number) => change(id, { detach: [workspace] })],
    ['it is deleted', (id: number) => watchdesk.admin('DELETE', `${URL}${id}`)],
  ])('while %s, a change of the workspaces that list it goes on', async (_, write) => {
    const id = await watchdesk.createDashboard()
    const workspace = await newWorkspace([id])
    let writing: ReturnType<typeof write> | undefined
    await during(
      watchdesk.database.pool,
      async (others) => {
        // Less than PostgreSQL takes to notice that both would wait forever, after which the call is tried again.
        await others.query(`set local lock_timeout = '500ms'`)
        await others.query(`select from workspaces where id = ${workspace} for no key update`)
        writing = write(id, workspace)
        await waitForLocks(watchdesk.database.pool)
        // What an edit of many workspaces does with the dashboards that they keep.
        await others.query(`delete from workspace_dashboards where workspace_id = ${workspace}`)
        await others.query(`insert into workspace_dashboards values (${workspace}, ${id}, 0)`)
      },
      async () => [],
    )
    expect((await writing)?.status).toBeLessThan(300)
    expect(await dashboardsOf(workspace)).toEqual([])
  })

  test('while the workspaces are edited and the dashboard is deleted, all succeed or report a conflict', async () => {
    for (let round = 0; round < 10; round++) {
      const ids = [await watchdesk.createDashboard(), await watchdesk.createDashboard()]
      const workspaces = [await newWorkspace([...ids]), await newWorkspace([...ids].reverse()), await newWorkspace()]
      const edits = workspaces.flatMap((workspace) =>
        [1, 2].map((limit) => {
          const body = { name: 'Edited', ...QUOTAS, ai_quota: { ...QUOTAS.ai_quota, limit }, powerbi_dashboards: ids }
          return watchdesk.admin('PUT', `/api/v1/workspaces/${workspace}`, body)
        }),
      )
      const changes = ids.flatMap((id) => [
        attach(id, ...workspaces),
        attach(id, ...workspaces.toReversed()),
        change(id, { detach: workspaces }),
      ])
      const removal = watchdesk.admin('DELETE', `${URL}${ids[0]}`)
      const statuses = (await Promise.all([...edits, ...changes, removal])).map(({ status }) => status)
      expect(statuses.filter((status) => ![200, 204, 404, 422].includes(status))).toEqual([])
      for (const workspace of workspaces) expect(await dashboardsOf(workspace)).not.toContain(ids[0])
    }
  })
})
