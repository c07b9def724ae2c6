import type { Endpoint } from '@watchdesk/contract/endpoint'
import { exportPlatformSources, importPlatformSources } from '@watchdesk/contract/source-management'
import { getWebsiteConfig, WEBSITE_CONFIG_DEFAULTS } from '@watchdesk/contract/website-config'
import { button, choose, green, platform, red, SHEET_ID, toSheet } from '../source-management-page.ts'
import { downloadFile } from '../sources-page.ts'
import { expect, test } from './test.ts'

const PLATFORMS = ['TELEGRAM', 'OK', 'VK', 'TWITTER', 'WEB', 'FACEBOOK', 'ADMIXER', 'YOUTUBE', 'TIKTOK']
const TRANSFERS: { endpoint: Endpoint; name: string; status: string; label: string }[] = [
  { endpoint: importPlatformSources, name: 'Import sources', status: 'import_status', label: 'Importing sources' },
  { endpoint: exportPlatformSources, name: 'Export sources', status: 'export_status', label: 'Exporting sources' },
]
test.beforeEach(async ({ backend, open }) => {
  backend.answer(getWebsiteConfig, { ...WEBSITE_CONFIG_DEFAULTS, sources_sheet_vk: SHEET_ID })
  await open('/source_management')
})

test('without a platform nothing is sent; with one, its sheet is named, and the template has one of its addresses', async ({
  page,
  backend,
}) => {
  await expect(page).toHaveTitle('Source management · Watchdesk')
  await expect(page.getByRole('heading', { name: 'Source management' })).toBeVisible()
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
  await platform(page).press('Escape')
  for (const { endpoint } of TRANSFERS) expect(backend.calls(endpoint)).toEqual([])

  const google = page.getByRole('link', { name: 'the VK sheet' })
  await expect(google).toHaveAttribute('href', `https://docs.google.com/spreadsheets/d/${SHEET_ID}`)
  await expect(google).toHaveAttribute('rel', 'noopener noreferrer')
  await choose(page, 'YOUTUBE')
  await expect(page.getByText('No sheet is set for YOUTUBE yet.')).toBeVisible()
  const { name, text } = await downloadFile(page, 'Download a template')
  expect(name).toBe('sources-template.csv')
  expect(text).toBe('\uFEFFsource_url,source_country\r\nhttps://www.youtube.com/@example,Ukraine\r\n')
  await expect(page.getByText('https://www.youtube.com/@example')).toBeVisible()
})

test.describe('on another backend', () => {
  test.beforeEach(async ({ page, backend }) => {
    backend.refuse(getWebsiteConfig, 404, 'Not Found')
    await choose(page, 'FACEBOOK')
  })

  test('responses with only the specified fields are shown, and a sheet whose address is not a safe link as text', async ({
    page,
    backend,
  }) => {
    backend.raw(importPlatformSources, 200, {
      platform: 'FACEBOOK',
      import_status: 'STARTED',
      sheet_id: SHEET_ID,
      error_message: null,
    })
    await button(page, 'Import sources').click()
    await expect(green(page)).toHaveText('Import of FACEBOOK sources: STARTED. Open the sheet')
    await expect(toSheet(page)).toHaveAttribute('href', `https://docs.google.com/spreadsheets/d/${SHEET_ID}`)
    const created_sheet_url = `https://docs.google.com/spreadsheets/d/${SHEET_ID}/edit#gid=0`
    backend.raw(exportPlatformSources, 200, {
      platform: 'FACEBOOK',
      export_status: 'DONE',
      created_sheet_url,
      error_message: null,
    })
    await button(page, 'Export sources').click()
    await expect(green(page)).toHaveText('Export of FACEBOOK sources: DONE. Open the sheet')
    await expect(toSheet(page)).toHaveAttribute('href', created_sheet_url)
    await expect(toSheet(page)).toHaveAttribute('target', '_blank')
    await expect(toSheet(page)).toHaveAttribute('rel', 'noopener noreferrer')
    expect(TRANSFERS.map(({ endpoint }) => backend.calls(endpoint).map(({ body }) => body))).toEqual([
      [{ platform: 'FACEBOOK', type: 'import' }],
      [{ platform: 'FACEBOOK', type: 'export' }],
    ])
    const unsafe = { platform: 'FACEBOOK', export_status: 'DONE', created_sheet_url: 'javascript:alert(1)' }
    backend.raw(exportPlatformSources, 200, { ...unsafe, error_message: '' })
    await button(page, 'Export sources').click()
    await expect(green(page)).toContainText('javascript:alert(1)')
    await expect(green(page).getByRole('link')).toHaveCount(0)

    for (const [import_status, text, counts] of [
      ['PARTIAL', 'FACEBOOK sources partly imported.', {}],
      ['SUCCESS', 'FACEBOOK sources imported. 0 added, 0 updated.', { created_count: 0, updated_count: 0 }],
    ] as const) {
      const body = { platform: 'FACEBOOK', import_status, sheet_id: SHEET_ID, error_message: null, ...counts }
      backend.raw(importPlatformSources, 200, body)
      await button(page, 'Import sources').click()
      await expect(page.getByText(text)).toHaveCSS('color', 'rgb(23, 102, 58)')
    }
  })

  test('a loader replaces both buttons; an error message is shown in red, unchanged', async ({ page, backend }) => {
    for (const { endpoint, name, status, label } of TRANSFERS) {
      const respond = backend.hold(endpoint)
      const error_message = `No <b>sheet</b>,\nsorry: ${name}`
      const body = { platform: 'FACEBOOK', [status]: 'FAILED', error_message }
      backend.raw(endpoint, 200, body)
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

  test('a failed call is shown in red with the usual message', async ({ page, backend }) => {
    const items = [
      { loc: ['body', 'platform'], msg: 'One.', type: 'a' },
      { loc: ['body', 'type'], msg: 'Two.', type: 'b' },
    ]
    for (const [status, body, text] of [
      [422, { detail: items }, 'One.\nTwo.'],
      [502, '<h1>Bad gateway</h1>', 'Something went wrong\nThe server responded with status 502.'],
    ] as const) {
      backend.raw(importPlatformSources, status, body)
      await button(page, 'Import sources').click()
      await expect(red(page)).toContainText(text.split('\n')[0] ?? '')
      expect(await red(page).innerText()).toBe(text)
    }
  })

  test('a type that is neither import nor export is an error', async ({ page, backend }) => {
    await button(page, 'Import sources').evaluate((element: HTMLButtonElement) => {
      element.value = 'delete'
    })
    await button(page, 'Import sources').click()
    await expect(red(page)).toHaveText('Something went wrong')
    for (const { endpoint } of TRANSFERS) expect(backend.calls(endpoint)).toEqual([])
  })
})
