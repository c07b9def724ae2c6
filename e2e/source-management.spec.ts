import type { Page } from '@playwright/test'
import type { Sheet } from '@watchdesk/contract/sheets'
import type { WebsiteConfig } from '@watchdesk/contract/website-config'
import { expectAccessible } from './accessible.ts'
import { unique } from './seed.ts'
import { BROKEN, REFUSED } from './session-page.ts'
import { test } from './signed-in.ts'
import { downloadFile, expectRow, grid, importRows, replaceWith } from './sources-page.ts'
import { expect, storeToken } from './test.ts'

const CONFIG = '/api/v1/config/website_config'
const IMPORT = 'POST /api/v1/source_management/import'
const EXPORT = 'POST /api/v1/source_management/export'
const PLATFORMS = ['TELEGRAM', 'OK', 'VK', 'TWITTER', 'WEB', 'FACEBOOK', 'ADMIXER', 'YOUTUBE', 'TIKTOK']
/** As long as the ids of online spreadsheets. */
const SHEET_ID = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'

const platform = (page: Page) => page.getByRole('combobox', { name: 'Platform' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const red = (page: Page) => page.getByRole('main').getByRole('alert')
const green = (page: Page) => page.getByRole('main').getByRole('status')
const toSheet = (page: Page) => green(page).getByRole('link', { name: 'Open the sheet' })

async function choose(page: Page, name: string) {
  await platform(page).click()
  await page.getByRole('option', { name, exact: true }).click()
}

test('a card with a platform and two buttons; without a platform nothing is sent', async ({ page }) => {
  await page.goto('/source_management')
  await expect(page).toHaveTitle('Source management · Watchdesk')
  await expect(page.getByRole('heading', { name: 'Source management' })).toBeVisible()
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  for (const name of ['Import sources', 'Export sources']) {
    await button(page, name).click()
    await expect(platform(page)).toHaveAccessibleDescription('Platform is required!')
    await expect(platform(page)).toBeFocused()
  }
  await platform(page).click()
  await expect(page.getByRole('option')).toHaveText(PLATFORMS)
  await page.getByRole('option', { name: 'VK', exact: true }).click()
  await expect(page.getByText('Platform is required!')).toHaveCount(0)
  await platform(page).press('Escape')
  await platform(page).press('Enter')
  expect(sent).toEqual([])
})

test('says which sheet an import would read, or that there is none; an export sets the first', async ({
  page,
  api,
}) => {
  await api('PATCH', CONFIG, { sources_sheet_ok: '', sources_sheet_vk: SHEET_ID })
  await page.goto('/source_management')
  await choose(page, 'VK')
  const google = page.getByRole('link', { name: 'the VK sheet' })
  await expect(google).toHaveAttribute('href', `https://docs.google.com/spreadsheets/d/${SHEET_ID}`)
  await expect(google).toHaveAttribute('rel', 'noopener noreferrer')
  await choose(page, 'OK')
  await expect(page.getByText('No sheet is set for OK yet.')).toBeVisible()
  await button(page, 'Import sources').click()
  await expect(red(page)).toHaveText(/^No sheet is set for OK\./)
  await expect(button(page, 'Import sources')).toBeFocused()

  await button(page, 'Export sources').click()
  await expect(green(page)).toHaveText('0 OK sources exported. Open the sheet')
  await expect(red(page)).toHaveCount(0)
  const { sources_sheet_ok } = await api<WebsiteConfig>('GET', CONFIG)
  expect(sources_sheet_ok).toContain('/sheets/')
  await expect(page.getByRole('link', { name: 'the OK sheet' })).toHaveAttribute('href', sources_sheet_ok)
  // The result stays that of its own platform when another one is chosen.
  await choose(page, 'VK')
  await expect(green(page)).toContainText('OK sources exported')
  await toSheet(page).click()
  await expect(page).toHaveURL(sources_sheet_ok)
  await expect(page.getByText('This sheet has no rows.')).toBeVisible()
})

test('export, edit, replace and import by platform', async ({ page, api }) => {
  await api('PATCH', CONFIG, { sources_sheet_tiktok: '' })
  const names = [unique('alpha'), unique('beta'), unique('gamma')]
  const urls = names.map((name) => `https://tiktok.com/@${name}`)
  await importRows(
    api,
    urls.map((source_url) => ({ source_url, source_country: 'PL' })),
  )

  await page.goto('/source_management')
  await choose(page, 'TIKTOK')
  await button(page, 'Export sources').click()
  await toSheet(page).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^TIKTOK sources, /)
  for (const url of urls) await expect(grid(page).getByRole('link', { name: url })).toBeVisible()
  const { name, text } = await downloadFile(page, 'Download CSV')
  expect(name).toMatch(/^TIKTOK sources.*\.csv$/)
  const [first = '', second = ''] = urls
  const known = text.trim().split('\r\n').length - 1

  const edited = `${text.replace(`${first},PL`, `${first},Ukraine`)}https://www.tiktok.com/@${unique('delta')}/,ua,\r\nhttps://vk.com/x,,\r\n${second},,\r\nhttps://tiktok.com/@${unique('e')},Atlantis,\r\n`
  await replaceWith(page, 'edited.csv', edited)
  await expect(page.locator('[data-kind=success]')).toHaveText(`Sheet replaced. It now has ${known + 4} rows.`)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(known + 5))
  await expect(grid(page)).toContainText('Atlantis')

  await page.getByRole('main').getByRole('link', { name: 'Source management' }).click()
  await choose(page, 'TIKTOK')
  await button(page, 'Import sources').click()
  const line = `TIKTOK sources partly imported. 1 added, 1 updated, ${known - 1} unchanged, 3 skipped. Open the sheet`
  await expect(green(page).locator('p').first()).toHaveText(line)
  await expect(green(page).getByRole('heading')).toHaveText('3 rows skipped')
  await expect(green(page).getByRole('listitem')).toHaveText([
    `Row ${known + 3} URL of another platform`,
    `Row ${known + 4} repeated in the sheet`,
    `Row ${known + 5} unknown country`,
  ])
  await expectAccessible(page)
  await toSheet(page).click()
  await expectRow(page, 1, 'tiktok.com')
})

test('a template to start from has an address of the platform', async ({ page }) => {
  await page.goto('/source_management')
  await choose(page, 'YOUTUBE')
  const { name, text } = await downloadFile(page, 'Download a template')
  expect(name).toBe('sources-template.csv')
  expect(text).toBe('\uFEFFsource_url,source_country\r\nhttps://www.youtube.com/@example,Ukraine\r\n')
  await expect(page.getByText('https://www.youtube.com/@example')).toBeVisible()
})

test.describe('on another backend', () => {
  test.beforeEach(async ({ page, otherBackend, faults }) => {
    faults.allow(REFUSED)
    faults.allow(BROKEN)
    await storeToken(page, otherBackend.url, 'any')
    await page.goto(`${otherBackend.url}/source_management`)
    await choose(page, 'FACEBOOK')
  })

  test('responses with only the specified fields are shown', async ({ page, otherBackend }) => {
    otherBackend.responses[IMPORT] = {
      status: 200,
      body: { platform: 'FACEBOOK', import_status: 'STARTED', sheet_id: SHEET_ID, error_message: null },
    }
    await button(page, 'Import sources').click()
    await expect(green(page)).toHaveText('Import of FACEBOOK sources: STARTED. Open the sheet')
    await expect(toSheet(page)).toHaveAttribute('href', `https://docs.google.com/spreadsheets/d/${SHEET_ID}`)
    const created_sheet_url = `https://docs.google.com/spreadsheets/d/${SHEET_ID}/edit#gid=0`
    otherBackend.responses[EXPORT] = {
      status: 200,
      body: { platform: 'FACEBOOK', export_status: 'DONE', created_sheet_url, error_message: null },
    }
    await button(page, 'Export sources').click()
    await expect(green(page)).toHaveText('Export of FACEBOOK sources: DONE. Open the sheet')
    await expect(toSheet(page)).toHaveAttribute('href', created_sheet_url)
    await expect(toSheet(page)).toHaveAttribute('target', '_blank')
    await expect(toSheet(page)).toHaveAttribute('rel', 'noopener noreferrer')
    const sent = otherBackend.calls.filter(({ call }) => call.startsWith('POST')).map(({ body }) => JSON.parse(body))
    expect(sent).toEqual([
      { platform: 'FACEBOOK', type: 'import' },
      { platform: 'FACEBOOK', type: 'export' },
    ])
  })

  test('a result that is no error is green, also if rows were skipped or nothing is new', async ({
    page,
    otherBackend,
  }) => {
    for (const [import_status, text, counts] of [
      ['PARTIAL', 'FACEBOOK sources partly imported.', {}],
      ['SUCCESS', 'FACEBOOK sources imported. 0 added, 0 updated.', { created_count: 0, updated_count: 0 }],
    ] as const) {
      const body = { platform: 'FACEBOOK', import_status, sheet_id: SHEET_ID, error_message: null, ...counts }
      otherBackend.responses[IMPORT] = { status: 200, body }
      await button(page, 'Import sources').click()
      await expect(page.getByText(text)).toHaveCSS('color', 'rgb(23, 102, 58)')
    }
  })

  test('a sheet whose address is not a safe link is shown as text', async ({ page, otherBackend }) => {
    otherBackend.responses[EXPORT] = {
      status: 200,
      body: {
        platform: 'FACEBOOK',
        export_status: 'DONE',
        created_sheet_url: 'javascript:alert(1)',
        error_message: '',
      },
    }
    await button(page, 'Export sources').click()
    await expect(green(page)).toContainText('javascript:alert(1)')
    await expect(green(page).getByRole('link')).toHaveCount(0)
  })

  test('a loader replaces both buttons; an error message is shown in red, unchanged', async ({
    page,
    otherBackend,
  }) => {
    for (const [call, name, status, label] of [
      [IMPORT, 'Import sources', 'import_status', 'Importing sources'],
      [EXPORT, 'Export sources', 'export_status', 'Exporting sources'],
    ] as const) {
      let respond = () => {}
      const after = new Promise<void>((resolve) => {
        respond = resolve
      })
      const error_message = `No <b>sheet</b>,\nsorry: ${name}`
      const body = { platform: 'FACEBOOK', [status]: 'FAILED', error_message }
      otherBackend.responses[call] = { status: 200, body, after }
      await button(page, name).click()
      await expect(page.getByRole('status', { name: label })).toBeVisible()
      await expect(page.getByRole('button', { name: / sources$/ })).toHaveCount(0)
      await expect(red(page)).toHaveCount(0)
      respond()
      await expect(red(page)).toBeVisible()
      expect(await red(page).innerText()).toBe(error_message)
      await expect(red(page)).toHaveCSS('color', 'rgb(180, 35, 24)')
      await expect(green(page)).toHaveCount(0)
      await expect(button(page, name)).toBeFocused()
    }
  })

  test('a failed call is shown in red with the usual message', async ({ page, otherBackend }) => {
    const items = [
      { loc: ['body', 'platform'], msg: 'One.', type: 'a' },
      { loc: ['body', 'type'], msg: 'Two.', type: 'b' },
    ]
    for (const [status, body, text] of [
      [403, { detail: 'Not enough permissions' }, 'Not enough permissions'],
      [422, { detail: items }, 'One.\nTwo.'],
      [502, '<h1>Bad gateway</h1>', 'Something went wrong\nThe server responded with status 502.'],
    ] as const) {
      for (const [call, name] of [
        [IMPORT, 'Import sources'],
        [EXPORT, 'Export sources'],
      ] as const) {
        otherBackend.responses[call] = { status, body }
        await button(page, name).click()
        await expect(red(page)).toContainText(text.split('\n')[0] ?? '')
        expect(await red(page).innerText()).toBe(text)
      }
    }
  })

  test('a type that is neither import nor export is an error', async ({ page, otherBackend }) => {
    await button(page, 'Import sources').evaluate((element: HTMLButtonElement) => {
      element.value = 'delete'
    })
    await button(page, 'Import sources').click()
    await expect(red(page)).toHaveText('Something went wrong')
    expect(otherBackend.calls.filter(({ call }) => call.startsWith('POST'))).toEqual([])
  })
})

test('accessible in either scheme, at either width', async ({ page, api }) => {
  await api('PATCH', CONFIG, { sources_sheet_admixer: '' })
  await page.goto('/source_management')
  await button(page, 'Import sources').click()
  await expectAccessible(page)
  await platform(page).click()
  await page.getByRole('option', { name: 'ADMIXER' }).click()
  await button(page, 'Import sources').click()
  await expect(red(page)).toBeVisible()
  await expectAccessible(page)
  await button(page, 'Export sources').click()
  await expect(toSheet(page)).toBeVisible()
  await expectAccessible(page)
  const sheet = await api<Sheet>(
    'GET',
    `/api/v1${new URL(await toSheet(page).evaluate((link: HTMLAnchorElement) => link.href)).pathname}`,
  )
  expect(sheet.title).toMatch(/^ADMIXER/)
})
