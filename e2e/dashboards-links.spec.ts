import type { Dashboard } from '@watchdesk/contract/dashboards'
import { linkResult as result } from './dashboards-page.ts'
import { startReportSite } from './report-site.ts'
import { expect } from './test.ts'
import { test as base, button } from './workspaces-page.ts'

const DASHBOARDS = 'powerbi_dashboards/'

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

test('all links are checked, with the reason if one does not work, and a corrected one again', async ({
  page,
  add,
  api,
  site,
}) => {
  const works = await add('/report')
  const refused = await add('/refused')
  const closed = await add('http://127.0.0.1:1/')
  await page.goto('/dashboards')
  await expect(page.getByRole('columnheader', { name: 'Link check' })).toHaveCount(0)
  expect(site.visits).toEqual([])
  await button(page, 'Check links').click()
  await expect(result(page, works)).toHaveText('WorksAllows embedding.')
  await expect(result(page, refused)).toHaveText('Not embeddableForbidden by X-Frame-Options.')
  await expect(result(page, closed)).toHaveText('Not reachableThe connection was refused.')
  await expect(page.getByText('1 link works, 2 do not')).toBeVisible()
  const headings = ['ID', 'Name', 'Description', 'Embed link', 'Link check', 'Actions']
  await expect(page.getByRole('columnheader')).toHaveText(headings)
  const { width = 0 } = (await page.getByRole('columnheader', { name: 'Description' }).boundingBox()) ?? {}
  expect(width).toBeGreaterThan(100)

  // The results stay while a link is corrected.
  await page.getByRole('link', { name: `Edit ${closed.name}` }).click()
  await page.getByRole('textbox', { name: 'Embed link' }).fill(`${site.url}/report?corrected`)
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/dashboards')
  await expect(result(page, closed)).toHaveText('Not checked')
  await expect(result(page, refused)).toContainText('Not embeddable')
  await button(page, `Check the link of ${closed.name} again`).click()
  await expect(result(page, closed)).toHaveText('WorksAllows embedding.')
  await expect(page.getByText('2 links work, 1 does not')).toBeVisible()
  await api('DELETE', `${DASHBOARDS}${refused.id}`)
})
