import type { Page } from '@playwright/test'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expectAccessible } from './accessible.ts'
import { startReportSite } from './report-site.ts'
import { BROKEN, REFUSED } from './session-page.ts'
import { test as base } from './signed-in.ts'
import { expect, storeToken } from './test.ts'

const DASHBOARDS = '/api/v1/powerbi_dashboards/'
const BAD_LINK = /^Embed link must be a valid URL that starts with http:\/\/ or https:\/\/\./
const REMOVED = 'Dashboard removed successfully!'

const test = base.extend<{ site: Awaited<ReturnType<typeof startReportSite>> }>({
  site: async ({ faults }, use) => {
    const site = await startReportSite()
    faults.allowOrigin(site.url)
    await use(site)
    await site.stop()
  },
})

let made = 0
function newDashboard(fields: object = {}) {
  made += 1
  return { name: `Reach ${made}`, description: 'Weekly', embed_link: `https://bi.example/${made}`, ...fields }
}

const nameField = (page: Page) => page.getByLabel('Name')
const description = (page: Page) => page.getByLabel('Description')
const link = (page: Page) => page.getByRole('textbox', { name: 'Embed link' })
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const toast = (page: Page) => page.locator('[data-kind]')

async function openEdit(page: Page, { id, name }: Dashboard) {
  await page.goto(`/dashboards/${id}/edit`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Edit dashboard ${name}`)
}

test.describe('list', () => {
  test('has ID, Name, Description, Embed link, and an edit and a delete link per row; Used in is optional', async ({
    page,
    api,
  }) => {
    const created = await api<Dashboard>('POST', DASHBOARDS, newDashboard())
    const embed_link = `https://bi.example/${'x'.repeat(300)}`
    const bare = await api<Dashboard>('POST', DASHBOARDS, newDashboard({ description: null, embed_link }))
    await page.goto('/dashboards')
    await expect(page).toHaveTitle('PowerBI Dashboards · Watchdesk')
    const headings = ['ID', 'Name', 'Description', 'Embed link', 'Actions']
    await expect(page.getByRole('columnheader')).toHaveText(headings)
    const cells = row(page, created.name).getByRole('cell')
    await expect(cells).toHaveText([String(created.id), created.name, 'Weekly', created.embed_link, ''])
    await expect(row(page, bare.name).getByRole('cell').nth(2)).toHaveText('')
    await page.getByRole('link', { name: embed_link }).hover()
    await expect(row(page, bare.name).getByRole('cell').nth(3)).toHaveAttribute('title', embed_link)
    const { objects } = await api<{ objects: Dashboard[] }>('GET', DASHBOARDS)
    await expect(page.getByText(`${objects.length} dashboards`)).toBeVisible()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Used in' }).check()
    await expect(cells.nth(4)).toHaveText('No workspaces')
    await page.getByRole('button', { name: 'Reset to default' }).click()
    await expect(page.getByRole('columnheader')).toHaveText(headings)
    await page.getByRole('button', { name: 'Columns' }).click()
    await expect(page.getByRole('button', { name: 'Reset to default' })).toHaveCount(0)

    await page.getByRole('link', { name: `Edit ${created.name}` }).click()
    await expect(page).toHaveURL(`/dashboards/${created.id}/edit`)
    await page.goBack()
    await page.getByRole('link', { name: 'Create dashboard' }).click()
    await expect(page).toHaveURL('/dashboards/create')
  })

  test('the embed link opens in a new tab without access to the console', async ({ page, context, api, site }) => {
    const { embed_link } = await api<Dashboard>('POST', DASHBOARDS, newDashboard({ embed_link: `${site.url}/report` }))
    await page.goto('/dashboards')
    const anchor = page.getByRole('link', { name: embed_link })
    await expect(anchor).toHaveAttribute('rel', 'noopener noreferrer')
    const opened = context.waitForEvent('page')
    await anchor.click()
    const tab = await opened
    await expect(tab.getByRole('heading', { name: 'Weekly reach' })).toBeVisible()
    expect(await tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  })

  test('anything but an http(s) link is shown as text', async ({ page, otherBackend, faults }) => {
    faults.allow(REFUSED)
    const links = ['javascript:alert(1)', 'data:text/html,x', 'reach', 'https://bi.example/a']
    const objects = links.map((embed_link, index) => ({ id: index + 1, name: `D${index}`, embed_link }))
    otherBackend.responses[`GET ${DASHBOARDS}`] = { status: 200, body: { objects } }
    await storeToken(page, otherBackend.url, 'any')
    await page.goto(`${otherBackend.url}/dashboards`)
    for (const text of links) await expect(page.getByRole('cell', { name: text, exact: true })).toBeVisible()
    await expect(page.getByRole('table').getByRole('link', { name: /^(?!Edit)/ })).toHaveText(['https://bi.example/a'])
  })

  test('an empty list says what to do; a failed one can be retried', async ({ page, otherBackend, faults }) => {
    faults.allow(REFUSED)
    faults.allow(BROKEN)
    otherBackend.responses[`GET ${DASHBOARDS}`] = { status: 400, body: { detail: 'Not now.' } }
    await storeToken(page, otherBackend.url, 'any')
    await page.goto(`${otherBackend.url}/dashboards`)
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Not now.')
    otherBackend.responses[`GET ${DASHBOARDS}`] = { status: 200, body: { objects: [] } }
    await button(page, 'Try again').click()
    await expect(page.getByText('No dashboards yet.')).toBeVisible()
    await page.getByText('Create dashboard').click()
    await expect(page.getByRole('heading', { name: 'Create dashboard' })).toBeVisible()
  })
})

test.describe('delete', () => {
  test('asks with the name, confirms, and can be undone', async ({ page, api }) => {
    const dashboard = await api<Dashboard>('POST', DASHBOARDS, newDashboard())
    const quota = { limit: 1, balance: 1, renewal_date: '2030-01-01T00:00:00' }
    const body = { name: 'Lists it', analytical_quota: quota, ai_quota: quota, powerbi_dashboards: [dashboard.id] }
    const { id } = await api<Workspace>('POST', '/api/v1/workspaces/', body)
    const listed = async () =>
      (await api<Workspace>('GET', `/api/v1/workspaces/${id}`)).config.powerbi_dashboards.includes(dashboard.id)

    await page.goto('/dashboards')
    await button(page, `Delete ${dashboard.name}`).click()
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this dashboard?' })
    await expect(dialog).toContainText(`This deletes ${dashboard.name} and removes it from all workspaces.`)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(row(page, dashboard.name)).toBeVisible()

    await button(page, `Delete ${dashboard.name}`).click()
    const request = page.waitForRequest((sent) => sent.method() === 'DELETE')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    expect((await request).headers()['if-match']).toBe('"1"')
    await expect(toast(page)).toContainText(REMOVED)
    await expect(row(page, dashboard.name)).toHaveCount(0)
    expect(await listed()).toBe(false)

    await button(page, 'Undo').click()
    await expect(toast(page).filter({ hasText: 'restored' })).toHaveText(`Dashboard ${dashboard.name} restored.`)
    await expect(row(page, dashboard.name)).toBeVisible()
    expect(await listed()).toBe(true)
  })

  test('shows what the server says when it fails', async ({ page, api, faults }) => {
    faults.allow(REFUSED)
    const { id, name } = await api<Dashboard>('POST', DASHBOARDS, newDashboard())
    await page.goto('/dashboards')
    await button(page, `Delete ${name}`).click()
    await api('DELETE', `${DASHBOARDS}${id}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page)).toHaveText('Dashboard not found.')
    await expect(row(page, name)).toHaveCount(0)
  })
})

test.describe('create', () => {
  test('validates each field and focuses the first invalid one', async ({ page }) => {
    await page.goto('/dashboards/create')
    await expect(page).toHaveTitle('Create dashboard · Watchdesk')
    await button(page, 'Create').click()
    await expect(nameField(page)).toHaveAccessibleDescription('Name is required!')
    await expect(link(page)).toHaveAccessibleDescription(/^Embed link is required!/)
    await expect(nameField(page)).toBeFocused()
    await nameField(page).fill('Reach')
    for (const wrong of ['reach', 'ftp://bi.example', 'javascript:alert(1)']) {
      await link(page).fill(wrong)
      await link(page).press('Enter')
      await expect(link(page)).toHaveAccessibleDescription(BAD_LINK)
      await expect(link(page)).toBeFocused()
      await expect(button(page, 'Show preview')).toHaveCount(0)
    }
    await expect(page.getByText('Name is required!')).toHaveCount(0)
  })

  test('sends the three fields and returns to the list', async ({ page }) => {
    const { name, embed_link } = newDashboard()
    await page.goto('/dashboards/create')
    await nameField(page).fill(name)
    await link(page).fill(` ${embed_link} `)
    const request = page.waitForRequest((sent) => sent.method() === 'POST')
    await link(page).press('Enter')
    expect((await request).postDataJSON()).toEqual({ name, description: null, embed_link })
    await expect(page).toHaveURL('/dashboards')
    await expect(row(page, name)).toBeVisible()
  })

  test('keeps the values when it fails, with all messages in a toast', async ({ page, otherBackend, faults }) => {
    faults.allow(REFUSED)
    let respond = () => {}
    const after = new Promise<void>((resolve) => {
      respond = resolve
    })
    const detail = [
      { loc: ['body', 'name'], msg: 'Taken.', type: 'value_error' },
      { loc: ['body', 'embed_link'], msg: 'Unknown host.', type: 'value_error' },
    ]
    otherBackend.responses[`POST ${DASHBOARDS}`] = { status: 422, body: { detail }, after }
    await storeToken(page, otherBackend.url, 'any')
    await page.goto(`${otherBackend.url}/dashboards/create`)
    await nameField(page).fill('Reach')
    await link(page).fill('https://bi.example/1')
    await page.locator('form').evaluate((form: HTMLFormElement) => {
      form.requestSubmit()
      form.requestSubmit()
    })
    await expect(page.getByRole('status', { name: 'Saving' })).toBeVisible()
    await expect(button(page, 'Create')).toHaveCount(0)
    respond()
    await expect(toast(page)).toBeVisible()
    expect(await toast(page).innerText()).toBe('Taken.\nUnknown host.')
    await expect(nameField(page)).toHaveAccessibleDescription('Taken.')
    await expect(link(page)).toHaveAccessibleDescription(/^Unknown host\./)
    await expect(nameField(page)).toHaveValue('Reach')
    expect(otherBackend.calls.filter(({ call }) => call.startsWith('POST'))).toHaveLength(1)

    otherBackend.responses[`POST ${DASHBOARDS}`] = { status: 400, body: {} }
    await button(page, 'Create').click()
    await expect(toast(page).filter({ hasText: 'Something went wrong' })).toBeVisible()
    await expect(button(page, 'Create')).toBeFocused()
  })
})

test.describe('edit', () => {
  test('is titled with the name, prefilled, and sends only what is not null', async ({ page, api }) => {
    const dashboard = await api<Dashboard>('POST', DASHBOARDS, newDashboard({ description: null }))
    await openEdit(page, dashboard)
    await expect(nameField(page)).toHaveValue(dashboard.name)
    await expect(description(page)).toHaveValue('')
    await expect(link(page)).toHaveValue(dashboard.embed_link)
    const { name, embed_link } = newDashboard()
    await nameField(page).fill(name)
    await link(page).fill(embed_link)
    const request = page.waitForRequest((sent) => sent.method() === 'PATCH')
    await button(page, 'Save').click()
    expect((await request).postDataJSON()).toEqual({ name, embed_link })
    expect((await request).headers()['if-match']).toBe('"1"')
    await expect(page).toHaveURL('/dashboards')
    await expect(row(page, name).getByRole('cell').nth(3)).toHaveText(embed_link)
    expect(await api('GET', `${DASHBOARDS}${dashboard.id}`)).toMatchObject({ name, description: null, embed_link })
  })

  test('a description can be cleared', async ({ page, api }) => {
    const dashboard = await api<Dashboard>('POST', DASHBOARDS, newDashboard())
    await openEdit(page, dashboard)
    await description(page).fill('')
    await button(page, 'Save').click()
    await expect(page).toHaveURL('/dashboards')
    expect(await api('GET', `${DASHBOARDS}${dashboard.id}`)).toMatchObject({ description: '' })
  })

  test('two people at once: other fields are merged, the same field is asked about', async ({ page, api, faults }) => {
    faults.allow(REFUSED)
    const dashboard = await api<Dashboard>('POST', DASHBOARDS, newDashboard())
    const { name } = newDashboard()
    await openEdit(page, dashboard)
    await api('PATCH', `${DASHBOARDS}${dashboard.id}`, { name, description: 'Theirs' })
    await description(page).fill('Mine')
    await button(page, 'Save').click()
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this dashboard while you were editing' })
    await expect(dialog).toContainText('Super Admin changed Name in the meantime. This change is kept.')
    await expect(dialog.getByRole('radiogroup')).toHaveAccessibleName('Description')
    await dialog.getByRole('radio', { name: 'Mine' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL('/dashboards')
    const { embed_link } = dashboard
    expect(await api('GET', `${DASHBOARDS}${dashboard.id}`)).toMatchObject({ name, description: 'Mine', embed_link })
  })

  test('leaving with changes asks first', async ({ page, api }) => {
    await openEdit(page, await api<Dashboard>('POST', DASHBOARDS, newDashboard()))
    await nameField(page).fill('Changed')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await expect(nameField(page)).toHaveValue('Changed')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await expect(page).toHaveURL('/dashboards')
  })

  test('a missing dashboard shows an error and links back to the list', async ({ page, faults }) => {
    faults.allow(REFUSED)
    await page.goto('/dashboards/2147483647/edit')
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Dashboard not found.')
    await expect(button(page, 'Try again')).toHaveCount(0)
    await page.getByRole('link', { name: 'Back to dashboards' }).click()
    await expect(page).toHaveURL('/dashboards')
  })
})

test.describe('preview', () => {
  const frame = (page: Page) => page.getByTitle('Preview of the embed link')
  const newTab = (page: Page) => page.getByRole('link', { name: 'Open in a new tab' })

  test('loads nothing until requested, and then in a sandbox', async ({ page, site }) => {
    await page.goto('/dashboards/create')
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

    await link(page).fill(`${site.url}/report?other`)
    await expect(frame(page)).toHaveCount(0)
    await expect(button(page, 'Show preview')).toBeVisible()
  })

  test('the browser shows that a frame is blocked, and the link opens in a new tab', async ({
    page,
    context,
    site,
    faults,
  }) => {
    faults.allow(/Refused to display/)
    await page.goto('/dashboards/create')
    await link(page).fill(`${site.url}/refused`)
    await button(page, 'Show preview').click()
    await expect(
      page.getByText('If the preview stays blank, the link is wrong or the site does not allow embedding.'),
    ).toBeVisible()
    const opened = context.waitForEvent('page')
    await newTab(page).click()
    await expect((await opened).getByRole('heading', { name: 'Weekly reach' })).toBeVisible()
  })

  test('a link that does not load in time shows an error and can be retried', async ({ page, site }) => {
    await page.clock.install()
    await page.goto('/dashboards/create')
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

  test('the console itself is never embedded', async ({ page, watchdesk }) => {
    await page.goto('/dashboards/create')
    await link(page).fill(`${watchdesk.url}/users`)
    await button(page, 'Show preview').click()
    await expect(page.getByText('This link cannot be embedded.')).toBeVisible()
    await expect(newTab(page)).toBeVisible()
    await expect(frame(page)).toHaveCount(0)
  })
})

test('axe finds nothing in the preview', async ({ page, api, site }) => {
  const { id } = await api<Dashboard>('POST', DASHBOARDS, newDashboard({ embed_link: `${site.url}/report` }))
  await page.goto(`/dashboards/${id}/edit`)
  await button(page, 'Show preview').click()
  await expect(page.getByText('If the preview stays blank')).toBeVisible()
  await expectAccessible(page)
})
