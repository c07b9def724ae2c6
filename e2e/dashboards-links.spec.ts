import type { Page } from '@playwright/test'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import { expectAccessible } from './accessible.ts'
import { startReportSite } from './report-site.ts'
import { REFUSED } from './session-page.ts'
import { test as base } from './signed-in.ts'
import { expect, storeToken } from './test.ts'

const DASHBOARDS = '/api/v1/powerbi_dashboards/'

type Site = Awaited<ReturnType<typeof startReportSite>>

const test = base.extend<{ site: Site; add: (path: string) => Promise<Dashboard> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
  site: async ({}, use) => {
    const site = await startReportSite()
    await use(site)
    await site.stop()
  },
  // The check is about all dashboards, so the others are removed.
  add: async ({ api, site }, use) => {
    const { objects } = await api<{ objects: Dashboard[] }>('GET', DASHBOARDS)
    for (const { id } of objects) await api('DELETE', `${DASHBOARDS}${id}`)
    await use((path) =>
      api<Dashboard>('POST', DASHBOARDS, { name: `Link ${path}`, embed_link: new URL(path, site.url).href }),
    )
  },
})

const result = (page: Page, { name }: Dashboard) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name, exact: true }) })
    .getByRole('cell')
    .nth(4)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('all links are checked, with the reason if one does not work, and a corrected one again', async ({
  page,
  add,
  api,
  site,
}) => {
  const works = await add('/report')
  const refused = await add('/refused')
  const closed = await add('http://127.0.0.1:1/')
  for (const count of [1, 2, 3]) await add(`/report?${count}`)
  await page.goto('/dashboards')
  await expect(page.getByRole('columnheader', { name: 'Link check' })).toHaveCount(0)
  expect(site.visits).toEqual([])
  await button(page, 'Check links').click()
  await expect(result(page, works)).toHaveText('WorksAllows embedding.')
  await expect(result(page, refused)).toHaveText('Not embeddableForbidden by X-Frame-Options.')
  await expect(result(page, closed)).toHaveText('Not reachableThe connection was refused.')
  await expect(page.getByText('4 links work, 2 do not')).toBeVisible()
  const headings = ['ID', 'Name', 'Description', 'Embed link', 'Link check', 'Actions']
  await expect(page.getByRole('columnheader')).toHaveText(headings)
  const { width = 0 } = (await page.getByRole('columnheader', { name: 'Description' }).boundingBox()) ?? {}
  expect(width).toBeGreaterThan(100)
  await expectAccessible(page)

  // The results stay while a link is corrected.
  await page.getByRole('link', { name: `Edit ${closed.name}` }).click()
  await page.getByRole('textbox', { name: 'Embed link' }).fill(`${site.url}/report?corrected`)
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/dashboards')
  await expect(result(page, closed)).toHaveText('Not checked')
  await expect(result(page, refused)).toContainText('Not embeddable')
  await button(page, `Check the link of ${closed.name} again`).click()
  await expect(result(page, closed)).toHaveText('WorksAllows embedding.')
  await expect(page.getByText('5 links work, 1 does not')).toBeVisible()
  await api('DELETE', `${DASHBOARDS}${refused.id}`)
})

test('the check shows how far it is and can be cancelled', async ({ page, add, site }) => {
  const first = await add('/report')
  for (const count of [1, 2, 3, 4]) await add(`/report?${count}`)
  const silent = await add('/silent')
  await page.goto('/dashboards')
  await button(page, 'Check links').click()
  await expect.poll(() => site.visits.some(({ path }) => path === '/silent')).toBe(true)
  await expect(page.getByText('Checked 5 of 6 links')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Links checked' })).toHaveAttribute('aria-valuenow', '83')
  await expect(result(page, first)).toContainText('Works')
  await expect(result(page, silent)).toHaveText('Checking…')
  await button(page, 'Cancel').click()
  await expect(result(page, silent)).toHaveText('Not checked')
  await expect(page.getByText('5 links work')).toBeVisible()
  await expect(button(page, 'Check links')).toBeVisible()
})

test('a backend without the check has no button', async ({ page, otherBackend, faults }) => {
  faults.allow(REFUSED)
  const objects = [{ id: 1, name: 'Reach', description: null, embed_link: 'https://bi.example/a' }]
  otherBackend.responses[`GET ${DASHBOARDS}`] = { status: 200, body: { objects } }
  await storeToken(page, otherBackend.url, 'any')
  await page.goto(`${otherBackend.url}/dashboards`)
  await expect(page.getByRole('cell', { name: 'Reach', exact: true })).toBeVisible()
  await expect(button(page, 'Check links')).toHaveCount(0)
})
