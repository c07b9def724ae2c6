import type { Page } from '@playwright/test'
import { deleteDashboard, getDashboard, listDashboards, updateDashboard } from '@watchdesk/contract/dashboards'
import { expectAccessible } from '../accessible.ts'
import { startReportSite } from '../report-site.ts'
import { button, field, row, toast } from '../workspaces-page.ts'
import { Refusal } from './backend.ts'
import { aDashboard } from './records.ts'
import { answerList, test as base, expect } from './test.ts'

const BAD_LINK = /^Embed link must be a valid URL that starts with http:\/\/ or https:\/\/\./

const test = base.extend<{ site: Awaited<ReturnType<typeof startReportSite>> }>({
  site: async ({ faults }, use) => {
    const site = await startReportSite()
    faults.allowOrigin(site.url)
    await use(site)
    await site.stop()
  },
})

const nameField = (page: Page) => field(page, 'Name')
const link = (page: Page) => field(page, 'Embed link')

test.describe('list', () => {
  test('has ID, Name, Description, Embed link, and an edit and a delete link per row; Used in is optional', async ({
    page,
    backend,
    open,
  }) => {
    const embed_link = `https://bi.example/${'x'.repeat(300)}`
    const reach = aDashboard({ description: 'Weekly' })
    const bare = aDashboard({ id: 6, name: 'Bare', description: null, embed_link })
    answerList(backend, listDashboards, [reach, bare], getDashboard)
    await open('/dashboards')
    await expect(page).toHaveTitle('PowerBI Dashboards · Watchdesk')
    const headings = ['ID', 'Name', 'Description', 'Embed link', 'Actions']
    await expect(page.getByRole('columnheader')).toHaveText(headings)
    const cells = row(page, 'Reach').getByRole('cell')
    await expect(cells).toHaveText(['5', 'Reach', 'Weekly', reach.embed_link, ''])
    await expect(button(page, 'Delete Reach')).toBeVisible()
    await expect(row(page, 'Bare').getByRole('cell').nth(2)).toHaveText('')
    await expect(page.getByRole('link', { name: embed_link })).toHaveAttribute('rel', 'noopener noreferrer')
    await page.getByRole('link', { name: embed_link }).hover()
    await expect(row(page, 'Bare').getByRole('cell').nth(3)).toHaveAttribute('title', embed_link)
    await expect(page.getByText('2 dashboards')).toBeVisible()
    await button(page, 'Columns').click()
    await page.getByRole('checkbox', { name: 'Used in' }).check()
    await expect(cells.nth(4)).toHaveText('No workspaces')
    await button(page, 'Reset to default').click()
    await expect(page.getByRole('columnheader')).toHaveText(headings)
    await button(page, 'Columns').click()
    await expect(button(page, 'Reset to default')).toHaveCount(0)

    await page.getByRole('link', { name: 'Edit Reach' }).click()
    await expect(page).toHaveURL('/dashboards/5/edit')
    await page.goBack()
    await page.getByRole('link', { name: 'Create dashboard' }).click()
    await expect(page).toHaveURL('/dashboards/create')
  })

  test('a failed list can be retried, a failed delete shows what the server says, and an empty list what to do', async ({
    page,
    backend,
    open,
  }) => {
    backend.refuse(listDashboards, 400, 'Not now.')
    await open('/dashboards')
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Not now.')
    const rows = [aDashboard()]
    answerList(backend, listDashboards, rows)
    backend.answer(deleteDashboard, () => {
      rows.pop()
      return new Refusal(404, 'Dashboard not found.')
    })
    await button(page, 'Try again').click()
    await button(page, 'Delete Reach').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page)).toHaveText('Dashboard not found.')
    await expect(page.getByText('No dashboards yet.')).toBeVisible()
    await page.getByText('Create dashboard').click()
    await expect(page.getByRole('heading', { name: 'Create dashboard' })).toBeVisible()
  })
})

test.describe('create', () => {
  test.beforeEach(({ open }) => open('/dashboards/create'))

  test('validates each field and focuses the first invalid one', async ({ page }) => {
    await expect(page).toHaveTitle('Create dashboard · Watchdesk')
    await button(page, 'Create').click()
    await expect(nameField(page)).toHaveAccessibleDescription('Name is required!')
    await expect(link(page)).toHaveAccessibleDescription(/^Embed link is required!/)
    await expect(nameField(page)).toBeFocused()
    await nameField(page).fill('Reach')
    for (const wrong of ['reach', 'javascript:alert(1)']) {
      await link(page).fill(wrong)
      await link(page).press('Enter')
      await expect(link(page)).toHaveAccessibleDescription(BAD_LINK)
      await expect(link(page)).toBeFocused()
      await expect(button(page, 'Show preview')).toHaveCount(0)
    }
    await expect(page.getByText('Name is required!')).toHaveCount(0)
  })
})

test.describe('edit', () => {
  test('a description can be cleared, and leaving with changes asks first', async ({ page, backend, open }) => {
    answerList(backend, listDashboards, [aDashboard({ description: 'Weekly' })], getDashboard)
    backend.answer(updateDashboard, aDashboard({ version: 2 }))
    await open('/dashboards/5/edit')
    await field(page, 'Description').fill('')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await button(page.getByRole('dialog', { name: 'Leave without saving?' }), 'Stay').click()
    await button(page, 'Save').click()
    await expect(page).toHaveURL('/dashboards')
    expect(backend.calls(updateDashboard)[0]?.body).toMatchObject({ description: '' })
  })

  test('a missing dashboard shows an error and links back to the list', async ({ page, backend, open }) => {
    backend.refuse(getDashboard, 404, 'Dashboard not found.')
    await open('/dashboards/5/edit')
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Dashboard not found.')
    await expect(button(page, 'Try again')).toHaveCount(0)
    await page.getByRole('link', { name: 'Back to dashboards' }).click()
    await expect(page).toHaveURL('/dashboards')
  })
})

test.describe('preview', () => {
  const frame = (page: Page) => page.getByTitle('Preview of the embed link')
  const newTab = (page: Page) => page.getByRole('link', { name: 'Open in a new tab' })

  test('loads nothing until requested, and then in a sandbox; axe finds nothing in the preview', async ({
    page,
    open,
    site,
  }) => {
    await open('/dashboards/create')
    await expect(page.getByText('Enter a valid embed link to preview it')).toBeVisible()
    await link(page).fill(`${site.url}/report`)
    await expect(button(page, 'Show preview')).toBeVisible()
    expect(site.visits).toEqual([])
    await button(page, 'Show preview').click()
    await expect(frame(page).contentFrame().getByRole('heading', { name: 'Weekly reach' })).toBeVisible()
    await expect(frame(page)).toHaveAttribute('sandbox', 'allow-scripts allow-same-origin')
    await expect(frame(page)).toHaveAttribute('referrerpolicy', 'no-referrer')
    await expect(frame(page)).toHaveAttribute('loading', 'lazy')
    expect(site.visits.filter(({ path }) => path === '/report')).toEqual([{ path: '/report', referer: undefined }])
    await expect(page.getByText('If the preview stays blank')).toBeVisible()
    await expectAccessible(page)

    await link(page).fill(`${site.url}/report?other`)
    await expect(frame(page)).toHaveCount(0)
    await expect(button(page, 'Show preview')).toBeVisible()
  })

  test('the browser shows that a frame is blocked, and the link opens in a new tab; the console itself is never embedded', async ({
    page,
    context,
    backend,
    open,
    site,
    faults,
  }) => {
    faults.allow(/Refused to display/)
    await open('/dashboards/create')
    await link(page).fill(`${site.url}/refused`)
    await button(page, 'Show preview').click()
    await expect(
      page.getByText('If the preview stays blank, the link is wrong or the site does not allow embedding.'),
    ).toBeVisible()
    const opened = context.waitForEvent('page')
    await newTab(page).click()
    const tab = await opened
    await expect(tab.getByRole('heading', { name: 'Weekly reach' })).toBeVisible()
    expect(await tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])

    await link(page).fill(`${backend.url}/users`)
    await button(page, 'Show preview').click()
    await expect(page.getByText('This link cannot be embedded.')).toBeVisible()
    await expect(newTab(page)).toBeVisible()
    await expect(frame(page)).toHaveCount(0)
  })

  test('a link that does not load in time shows an error and can be retried', async ({ page, open, site }) => {
    await page.clock.install()
    await open('/dashboards/create')
    await link(page).fill(`${site.url}/silent`)
    await button(page, 'Show preview').click()
    await expect(page.getByRole('status', { name: 'Loading the preview' })).toBeVisible()
    await page.clock.fastForward(10_000)
    await expect(page.getByText('The link did not load. The site is slow or does not allow embedding.')).toBeVisible()
    await expect(newTab(page)).toHaveAttribute('href', `${site.url}/silent`)
    await expect(newTab(page)).toHaveAttribute('rel', 'noopener noreferrer')
    await button(page, 'Try again').click()
    await expect(frame(page)).toBeVisible()
  })
})
