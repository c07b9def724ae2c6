import type { Page } from '@playwright/test'
import type { Sheet } from '@watchdesk/contract/sheets'
import { readScreens } from '../scripts/screens.mjs'
import { expectAccessible } from './accessible.ts'
import { PASSWORD, seed, unique } from './seed.ts'
import { BROKEN, REFUSED } from './session-page.ts'
import { test as base } from './signed-in.ts'
import { chooseReplacement, downloadFile, expectRow, grid, importRows, replaceWith } from './sources-page.ts'
import { expect, storeToken } from './test.ts'

/** Taller than any browser's tallest element at 36 pixels each, so that the scrollbar is scaled. */
const MANY = 250_000
const LONG = 'long_name_'.repeat(30)
const ROWS: { source_url: string; source_country?: string }[] = [
  { source_url: 'https://t.me/first', source_country: 'Ukraine' },
  { source_url: 'javascript:alert(1)' },
  { source_url: '=HYPERLINK("https://evil.example","x")', source_country: '@SUM(1)' },
  { source_url: 'https://mastodon.example/@someone' },
  { source_url: `https://t.me/first_${LONG}` },
  { source_url: 'https://telegram.me/first/' },
  { source_url: 'https://t.me/nowhere', source_country: 'Atlantis' },
]

const test = base.extend<object, { places: { many?: string } }>({
  // Shared by all tests of a worker, because it is slow to create.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
  places: [async ({}, use) => use({}), { scope: 'worker' }],
})

const chip = (page: Page, name: string) => page.getByRole('group').getByRole('button', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const red = (page: Page) => page.getByRole('main').getByRole('alert')
const toast = (page: Page) => page.locator('[data-kind=success]')

type Api = Parameters<typeof importRows>[0]

/** A sheet with rows of every outcome, and its own sources. */
function fewRows(api: Api) {
  const name = unique('few')
  return importRows(
    api,
    ROWS.map((row) => ({ ...row, source_url: row.source_url.replace('/first', `/${name}`) })),
  )
}

async function manyRows(api: Api, places: { many?: string }) {
  places.many ??= await importRows(
    api,
    Array.from({ length: MANY }, (_, index) => ({ source_url: `x${index + 1}` })),
  )
  return places.many
}

/** The number of the first fully visible row, and its distance from the top. */
function atTop(page: Page) {
  return grid(page).evaluate((element) => {
    const top = element.getBoundingClientRect().top + (element.querySelector('thead')?.offsetHeight ?? 0)
    const rows = [...element.querySelectorAll('tbody tr')]
    const row = rows.find((candidate) => candidate.getBoundingClientRect().bottom > top + 1)
    return {
      number: Number(row?.querySelector('th')?.textContent),
      cut: Math.round(top - (row?.getBoundingClientRect().top ?? 0)),
    }
  })
}

test('lists every row with its outcome; only web addresses are links', async ({ page, api }) => {
  await page.goto(await fewRows(api))
  await expect(page.getByText(/^7 rows, created by Super Admin on .*\d{4}/)).toBeVisible()
  const title = await page.getByRole('heading', { level: 1 }).innerText()
  await expect(page).toHaveTitle(`${title} · Watchdesk`)
  await expect(grid(page)).toHaveAccessibleName(title)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '8')
  await expect(page.getByRole('columnheader')).toHaveText([
    '#',
    'row',
    'source_url',
    'source_country',
    'platform',
    'outcome',
  ])
  await expectRow(page, 1, 'requested')
  await expectRow(page, 2, /javascript:alert\(1\).*invalid URL/)
  await expectRow(page, 3, '=HYPERLINK("https://evil.example","x")')
  await expectRow(page, 4, 'unsupported platform')
  await expectRow(page, 6, 'repeated in the file')
  await expectRow(page, 7, /Atlantis.*unknown country/)
  for (const link of await grid(page).getByRole('link').all()) {
    expect(await link.getAttribute('href')).toMatch(/^https:/)
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  }
  await expect(grid(page).getByRole('link')).toHaveCount(5)
  const cut = grid(page).getByRole('gridcell').filter({ hasText: LONG })
  await cut.hover()
  await expect(cut).toHaveAttribute('title', new RegExp(`^https://t.me/few.*_${LONG}$`))
  const entries = (await readScreens(page)).filter(({ menu }) => menu)
  await expect(page.getByRole('navigation').getByRole('link')).toHaveCount(entries.length)
})

test('the outcome filter is in the address, and rows keep their numbers', async ({ page, api }) => {
  const path = await fewRows(api)
  await page.goto(path)
  await expect(page.getByRole('group').getByRole('button')).toHaveText([
    'All 7',
    'requested 2',
    'repeated in the file 1',
    'unsupported platform 1',
    'invalid URL 2',
    'unknown country 1',
  ])
  await expect(chip(page, 'All')).toHaveAttribute('aria-pressed', 'true')
  await chip(page, 'invalid URL').click()
  await expect(page).toHaveURL(/\?outcome=invalid(\+|%20)URL$/)
  await expect(grid(page).getByRole('rowheader')).toHaveText(['2', '3'])
  await expect(chip(page, 'invalid URL')).toHaveAttribute('aria-pressed', 'true')
  const { text } = await downloadFile(page, 'Download CSV')
  expect(text.trim().split('\r\n')).toHaveLength(3)
  await page.reload()
  await expect(grid(page).getByRole('rowheader')).toHaveText(['2', '3'])
  await page.goBack()
  await expect(grid(page).getByRole('rowheader')).toHaveCount(7)
  await page.goto(`${path}?outcome=gossip`)
  await expect(grid(page).getByRole('rowheader')).toHaveCount(7)
  await expect(page).toHaveURL(path)
})

test.describe('very many rows', () => {
  // In one worker, so that both share one import.
  test.describe.configure({ mode: 'default' })

  test('any of very many rows can be scrolled to, and the wheel moves them pixel by pixel', async ({
    page,
    api,
    places,
  }) => {
    test.setTimeout(180_000)
    await page.goto(await manyRows(api, places))
    await expectRow(page, 1, 'x1')
    expect(await grid(page).evaluate((element) => element.scrollHeight)).toBeLessThan(MANY * 36)
    await grid(page).press('End')
    await expectRow(page, MANY, `x${MANY}`)
    await grid(page).press('ArrowUp')
    await expect(grid(page).locator('[aria-selected=true]')).toContainText(`x${MANY - 1}`)
    await grid(page).press('Home')
    await expectRow(page, 1, 'x1')

    await page.getByLabel('Go to row').fill('125,001')
    await page.keyboard.press('Enter')
    await expectRow(page, 125_000, 'x125000')
    await expect(grid(page)).toBeFocused()
    expect(await atTop(page)).toEqual({ number: 125_000, cut: 0 })
    await grid(page).hover()
    await page.mouse.wheel(0, 36 * 20 + 5)
    await expect.poll(() => atTop(page)).toEqual({ number: 125_020, cut: 5 })
    await page.mouse.wheel(0, -36 * 20 - 5)
    await expect.poll(() => atTop(page)).toEqual({ number: 125_000, cut: 0 })
    await expectRow(page, 125_000, 'x125000')
    await grid(page).press('PageDown')
    await grid(page).press('PageUp')
    await expect(grid(page).locator('[aria-selected=true]')).toContainText('x125000')

    // Like dragging the scrollbar.
    await grid(page).evaluate((element) => {
      element.scrollTop = (element.scrollHeight - element.clientHeight) / 4
    })
    await expect.poll(async () => Math.abs((await atTop(page)).number - MANY / 4)).toBeLessThan(30)
    const { number } = await atTop(page)
    await expectRow(page, number + 1, `x${number + 1}`)
  })

  test('rows that are scrolled past quickly are not requested', async ({ page, api, places }) => {
    test.setTimeout(180_000)
    await page.goto(await manyRows(api, places))
    await expectRow(page, 1, 'x1')
    const asked: number[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/rows')) asked.push(Number(searchParams.get('offset')))
    })
    const slowFrames = await grid(page).evaluate(async (element) => {
      let slow = 0
      let last = performance.now()
      for (let step = 1; step <= 40; step += 1) {
        element.scrollTop = step * 100_000
        await new Promise(requestAnimationFrame)
        if (performance.now() - last > 60) slow += 1
        last = performance.now()
      }
      return slow
    })
    const { number } = await atTop(page)
    await expectRow(page, number + 1, `x${number + 1}`)
    // The visible window and its neighbors, twice if a slow frame looked like the end of scrolling.
    expect(asked.length).toBeLessThan(10 + 5 * slowFrames)
    expect(asked.every((offset) => offset % 200 === 0)).toBe(true)
  })
})

test('a row of the grid opens its link with Enter, and the focus stays', async ({ page, context, api, faults }) => {
  faults.allowOrigin('https://t.me')
  await context.route('https://t.me/**', (route) => route.fulfill({ body: 'elsewhere' }))
  await page.goto(await fewRows(api))
  await expectRow(page, 1, 'requested')
  await grid(page).focus()
  await page.keyboard.press('ArrowDown')
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', /.+/)
  const opened = context.waitForEvent('page')
  await page.keyboard.press('Enter')
  expect((await opened).url()).toMatch(/^https:\/\/t\.me\/few/)
  await page.bringToFront()
  await expect(grid(page)).toBeFocused()
})

test('files are named after the sheet, and contain nothing that a spreadsheet would run', async ({ page, api }) => {
  await page.goto(await fewRows(api))
  await expectRow(page, 1, 'requested')
  const title = await page.getByRole('heading', { level: 1 }).innerText()
  const csv = await downloadFile(page, 'Download CSV')
  expect(csv.name).toMatch(/\.csv$/)
  expect(csv.name.slice(0, 8)).toBe(title.slice(0, 8))
  expect(csv.text).toContain(`"'=HYPERLINK(""https://evil.example"",""x"")",'@SUM(1)`)
  const xlsx = await downloadFile(page, 'Download XLSX')
  expect(xlsx.name).toMatch(/\.xlsx$/)
  expect(xlsx.content.subarray(0, 2).toString()).toBe('PK')

  await replaceWith(page, csv.name, csv.text)
  await expect(toast(page)).toHaveText('Sheet replaced. It now has 7 rows.')
  await expectRow(page, 3, /^3\s*4\s*=HYPERLINK\("https:\/\/evil\.example","x"\)\s*@SUM\(1\)/)
})

test('the name of a filtered download includes the filter', async ({ page, api }) => {
  await page.goto(`${await fewRows(api)}?outcome=requested`)
  await expectRow(page, 1, 'requested')
  for (const format of ['CSV', 'XLSX']) {
    const { name } = await downloadFile(page, `Download ${format}`)
    expect(name).toMatch(new RegExp(` - requested\\.${format.toLowerCase()}$`))
  }
})

test('links back to the page that created it, whose menu entry is current, even after its rows were replaced', async ({
  page,
  api,
}) => {
  await page.goto(await fewRows(api))
  await expectRow(page, 1, 'requested')
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'Source import', exact: true })).toHaveAttribute('href', '/source_import')
  await expect(page.getByRole('navigation').locator('[aria-current]')).toHaveText('Source import')

  await chip(page, 'requested').click()
  await replaceWith(page, 'new.csv', 'a\r\n1\r\n')
  await expect(page.getByRole('columnheader')).toHaveText(['#', 'a'])
  await expect(page).toHaveURL(/\/sheets\/\d+$/)
  await expect(main.getByRole('link', { name: 'Source import', exact: true })).toBeVisible()
  await expect(page.getByRole('navigation').locator('[aria-current]')).toHaveText('Source import')
})

test('shows one number for each row, on phones too', async ({ page, api }) => {
  await page.goto(await fewRows(api))
  await expectRow(page, 1, 'requested')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const first = grid(page).getByRole('row').nth(1)
    await expect(first.getByRole('gridcell').first()).toHaveText('2')
    expect((await first.getByRole('gridcell').first().boundingBox())?.width).toBeGreaterThan(8)
    expect((await first.getByRole('rowheader').boundingBox())?.width).toBe(1)
  }
})

test('a replacement is confirmed by name, and can be cancelled', async ({ page, api, faults }) => {
  faults.allow(REFUSED)
  const path = await fewRows(api)
  await page.goto(path)
  await expectRow(page, 1, 'requested')
  const title = await page.getByRole('heading', { level: 1 }).innerText()
  await chooseReplacement(page, 'notes.pdf', 'x')
  await expect(red(page)).toHaveText('File must be of type csv or xlsx.')
  await chooseReplacement(page, 'new.csv', 'a,b\r\n1,2\r\n')
  const dialog = page.getByRole('dialog', { name: 'Replace this sheet with new.csv?' })
  await expect(dialog).toContainText(`7 rows of “${title}”`)
  await expect(red(page)).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await api<Sheet>('GET', `/api/v1${path}`)).version).toBe(1)

  await replaceWith(page, 'ragged.csv', 'a,b\r\n1,2\r\n1,2,3\r\n')
  await expect(red(page)).toContainText('Header values mismatch in rows: 3.')
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '8')

  const request = page.waitForRequest((sent) => sent.method() === 'PUT')
  await replaceWith(page, 'new.csv', 'a,b\r\n1,https://example.com/\r\n')
  expect((await request).headers()['if-match']).toBe('"1"')
  await expect(toast(page)).toHaveText('Sheet replaced. It now has 1 row.')
  await expect(page.getByRole('columnheader')).toHaveText(['#', 'a', 'b'])
  await expectRow(page, 1, 'https://example.com/')
  await expect(page.getByRole('group')).toHaveCount(0)
  await expect(red(page)).toHaveCount(0)
})

test('two people replace a sheet at once: the second gets an error, and sees the other sheet', async ({
  page,
  context,
  api,
  faults,
}) => {
  faults.allow(REFUSED)
  const path = await fewRows(api)
  await page.goto(path)
  await expectRow(page, 1, 'requested')
  const other = await context.newPage()
  await other.goto(path)
  await replaceWith(other, 'theirs.csv', 'who\r\ntheirs\r\n')
  await expect(toast(other)).toBeVisible()
  await replaceWith(page, 'mine.csv', 'who\r\nmine\r\n')
  await expect(red(page)).toContainText(/Super Admin.*Nothing was replaced\./)
  await expectRow(page, 1, 'theirs')
  await replaceWith(page, 'mine.csv', 'who\r\nmine\r\n')
  await expect(toast(page)).toBeVisible()
  await expectRow(page, 1, 'mine')
})

test('a visitor is sent to login', async ({ page }) => {
  await page.context().setStorageState({ cookies: [], origins: [] })
  await page.goto('/sheets/1')
  await expect(page).toHaveURL('/login')
})

test('a workspace admin gets an error message and sees no rows', async ({ page, api, watchdesk }) => {
  const path = await fewRows(api)
  const admin = await seed(page, watchdesk)
  const { id } = await admin.workspace(unique('Desk'))
  const { email } = await admin.user(id, { is_admin: true })
  const login = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  await storeToken(page, watchdesk.url, (await login.json()).access_token)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("You don't have access to this page")
  await expect(grid(page)).toHaveCount(0)
})

test('a missing sheet shows an error, with links to the pages that create sheets', async ({ page, faults }) => {
  faults.allow(REFUSED)
  await page.goto('/sheets/2147483647')
  await expect(red(page)).toContainText('Sheet not found.')
  await expect(button(page, 'Try again')).toHaveCount(0)
  const links = ['Go to Sheets', 'Go to Source import', 'Go to Source management']
  await expect(red(page).getByRole('link')).toHaveText(links)
  await page.goto('/sheets/abc')
  await expect(red(page)).toContainText('Sheet not found.')
  await expect(red(page).getByRole('link')).toHaveText(links)
  await red(page).getByRole('link', { name: 'Go to Source import' }).click()
  await expect(page).toHaveURL('/source_import')
})

test.describe('when calls fail', () => {
  const SHEET = {
    id: 7,
    title: 'Kept',
    origin: 'source_management',
    header: ['a'],
    row_count: 2,
    outcomes: null,
    created_at: '2026-11-15T09:30:00Z',
    created_by: null,
    version: 3,
  }

  test.beforeEach(async ({ page, otherBackend, faults }) => {
    faults.allow(REFUSED)
    faults.allow(BROKEN)
    await storeToken(page, otherBackend.url, 'any')
    otherBackend.responses['GET /api/v1/sheets/7'] = { status: 200, body: SHEET }
    const rows = [1, 2].map((number) => ({ number, cells: [`cell ${number}`] }))
    otherBackend.responses['GET /api/v1/sheets/7/rows'] = { status: 200, body: { rows, total: 2, version: 3 } }
  })

  test('rows that failed to load show an error with Try again', async ({ page, otherBackend }) => {
    const good = otherBackend.responses['GET /api/v1/sheets/7/rows']
    otherBackend.responses['GET /api/v1/sheets/7/rows'] = { status: 400, body: { detail: 'Not now.' } }
    await page.goto(`${otherBackend.url}/sheets/7`)
    await expect(page.getByText('2 rows, created on')).toBeVisible()
    await expect(red(page)).toContainText('Rows 1–2 could not be loaded. Not now.')
    await expectAccessible(page)
    if (good) otherBackend.responses['GET /api/v1/sheets/7/rows'] = good
    await button(page, 'Try again').click()
    await expectRow(page, 2, 'cell 2')
    await expect(red(page)).toHaveCount(0)
    await expect(grid(page)).toBeFocused()
  })

  test('a download shows its progress, can be cancelled, and shows an error when it fails', async ({
    page,
    otherBackend,
  }) => {
    const FILE = 'GET /api/v1/sheets/7/file'
    let respond = () => {}
    const after = new Promise<void>((resolve) => {
      respond = resolve
    })
    otherBackend.responses[FILE] = { status: 200, body: 'a\r\n1\r\n', after }
    await page.goto(`${otherBackend.url}/sheets/7`)
    await button(page, 'Download CSV').click()
    await expect(page.getByText('Preparing the file')).toBeVisible()
    await expect(button(page, 'Download CSV')).toHaveCount(0)
    await button(page, 'Cancel').click()
    await expect(button(page, 'Download CSV')).toBeFocused()
    await expect(red(page)).toHaveCount(0)
    respond()

    otherBackend.responses[FILE] = { status: 503, body: { detail: 'The database is busy.' } }
    await button(page, 'Download XLSX').click()
    await expect(red(page)).toHaveText('The database is busy.')
    otherBackend.responses[FILE] = { status: 200, body: 'a\r\n1\r\n' }
    const { name, text } = await downloadFile(page, 'Download CSV')
    expect([name, text]).toEqual(['Kept.csv', 'a\r\n1\r\n'])
    await expect(red(page)).toHaveCount(0)
  })
})

test('accessible in either scheme, at either width', async ({ page, api }) => {
  await page.goto(await fewRows(api))
  await expectRow(page, 1, 'requested')
  await grid(page).press('ArrowDown')
  await chip(page, 'requested').click()
  await expect(grid(page).getByRole('rowheader')).toHaveCount(2)
  await expectAccessible(page)
})
