import type { Overview } from '@watchdesk/contract/overview'
import type { Page } from '@watchdesk/contract/page'
import { expect, test } from 'vitest'
import { ADMIN, QUOTAS, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { recordTotals } from './daily-totals.ts'

const watchdesk = useWatchdesk()
const query = (text: string) => watchdesk.database.pool.query(text)

async function readOverview() {
  const { status, body } = await watchdesk.admin<Overview>('GET', '/api/v1/overview/')
  expect(status).toBe(200)
  return body
}

async function totalAt(url: string) {
  return (await watchdesk.admin<Page<unknown>>('GET', url)).body.total
}

test('the totals of today are current, and those of the lists', async () => {
  const source = (name: string) => ({ source_url: `https://t.me/${name}` })
  const imported = (name: string) => ({ email: ADMIN.email, sheet_url: null, sheet_records: [source(name)] })
  await watchdesk.admin('POST', '/api/v1/source_import/sources', imported('first'))
  await recordTotals(watchdesk.database.db)
  await watchdesk.admin('POST', '/api/v1/source_import/sources', imported('second'))
  await watchdesk.createUser({})
  await query(`insert into narratives (id) values (1)`)
  await query(`insert into stories (narrative_id, message_composite_id, story, digest)
    values (1, 'TELEGRAM:POST:1', 'Text', gen_random_uuid())`)
  const { days } = await readOverview()
  const today = new Date().toISOString().slice(0, 10)
  expect(days).toHaveLength(90)
  expect(days.at(-1)).toEqual({
    day: today,
    users: await totalAt('/api/v1/users/'),
    sources: await totalAt('/api/v1/sources/'),
    stories: 1,
    imports: await totalAt(`/api/v1/imports/?from=${today}`),
    analytical_quota: { used: expect.any(Number), limit: expect.any(Number) },
    ai_quota: { used: expect.any(Number), limit: expect.any(Number) },
    is_computed: false,
  })
  expect(days.at(-1)).toMatchObject({ users: 2, sources: 2, imports: 2 })
  expect(days[0]).toMatchObject({ users: 0, analytical_quota: null, ai_quota: null, is_computed: true })
})

test('the use of quotas follows the balances at once', async () => {
  const used = async () => (await readOverview()).days.at(-1)?.ai_quota ?? { used: 0, limit: 0 }
  const before = await used()
  const workspace = await watchdesk.createWorkspace({ ai_quota: { ...QUOTAS.ai_quota, limit: 100, balance: 25 } })
  expect(await used()).toEqual({ used: before.used + 75, limit: before.limit + 100 })
  await watchdesk.admin('DELETE', `/api/v1/workspaces/${workspace.id}`)
  expect(await used()).toEqual(before)
})

test('the imports of earlier days are those of the list', async () => {
  await query(`insert into operations (kind, state, created_at)
    select 'export', 'done', now() - n * interval '13 hours' from generate_series(1, 150) n`)
  const { days } = await readOverview()
  for (const { day, imports } of days.filter((_, index) => index % 7 === 0))
    expect(imports).toBe(await totalAt(`/api/v1/imports/?from=${day}&to=${day}`))
  const all = days.reduce((sum, { imports }) => sum + imports, 0)
  expect(all).toBe(await totalAt(`/api/v1/imports/?from=${days[0]?.day}`))
  expect(all).toBeGreaterThan(100)
})

test('workspace admins have no access', async () => {
  const admin = await watchdesk.createUser({ is_admin: true })
  expect((await (await watchdesk.signIn(admin.email))('GET', '/api/v1/overview/')).status).toBe(403)
})
