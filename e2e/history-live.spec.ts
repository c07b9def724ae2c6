import { expectAccessible } from './accessible.ts'
import { dialog, expectToast, historyLink, openEvent, panel, quietLine, test } from './history-page.ts'
import { hold } from './hold.ts'
import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { button, field } from './workspaces-page.ts'

const POLL_MS = 15_000

test('an open form says that somebody else has saved a newer version, and shows what changed', async ({
  page,
  make,
  vera,
}) => {
  await page.clock.install()
  const { id } = await make.workspace()
  const user = await make.user(id)
  await page.goto(`/users/${user.id}/edit`)
  await field(page, 'First name').fill('Olena')
  await expect(page.getByText('Created by Super Admin')).toBeVisible()
  await vera.api('PATCH', `users/${user.id}`, { type: 'MODERATOR' })
  await expect(quietLine(page)).toHaveCount(0)
  await page.clock.fastForward(POLL_MS)
  await expect(quietLine(page)).toHaveText(
    new RegExp(
      `^${vera.name} saved a newer version today at .*\\. When you save, your changes and theirs are combined\\. See what changed$`,
    ),
  )
  await expect(page.getByText(`Last changed by ${vera.name}`)).toBeVisible()
  await expect(field(page, 'First name')).toHaveValue('Olena')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'See what changed' }).click()
  await expect(panel(page).getByText(/changed the type of/)).toBeVisible()
  await page.goBack()
  await expect(field(page, 'First name')).toHaveValue('Olena')
})

test('the website config and a deleted dashboard say so too', async ({ page, make, vera, faults }) => {
  faults.allow(REFUSED)
  await page.clock.install()
  await page.goto('/website_config')
  await expect(button(page, 'Save')).toBeVisible()
  await vera.api('PATCH', 'config/website_config', { sources_sheet_ok: `sheet-of-another-user-${Date.now()}` })
  await page.clock.fastForward(POLL_MS)
  await expect(quietLine(page)).toContainText(`${vera.name} saved a newer version today at`)

  const { id } = await make.dashboard()
  await page.goto(`/dashboards/${id}/edit`)
  await expect(page.getByText('Created by Super Admin')).toBeVisible()
  await vera.api('DELETE', `powerbi_dashboards/${id}`, {})
  await page.clock.fastForward(POLL_MS)
  await expect(page.getByText(`${vera.name} deleted this today at`)).toBeVisible()
})

test('saving a form does not report its own newer version', async ({ page }) => {
  await page.goto('/website_config')
  for (const sheet of ['sheet-of-tiktok-sources', '']) {
    await field(page, 'TikTok sources').fill(sheet)
    await button(page, 'Save').click()
    await expect(page.getByText('Unsaved changes')).toHaveCount(0)
    await expectToast(page, 'Website config saved successfully!')
    await expect(page.getByText('Last changed by Super Admin, just now')).toBeVisible()
    await expect(quietLine(page)).toHaveCount(0)
  }
})

test('nothing moves when the line has loaded', async ({ page, make }) => {
  const { id } = await make.workspace()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const release = await hold(page, '**/api/v1/audit/?*')
    await page.goto(`/workspaces/${id}/edit`)
    const before = await field(page, 'Name').boundingBox()
    release()
    await expect(historyLink(page)).toBeVisible()
    expect(await field(page, 'Name').boundingBox()).toEqual(before)
    await page.unroute('**/api/v1/audit/?*')
  }
})

test('a backend without events shows no line, and is not asked again', async ({ page, make, faults }) => {
  faults.allow(REFUSED)
  await page.clock.install()
  const { id } = await make.workspace()
  const user = await make.user(id)
  let calls = 0
  await page.route('**/api/v1/audit/?*changes_only*', (route) => {
    calls += 1
    return route.fulfill({ status: 404, json: { detail: 'Not Found' } })
  })
  await page.goto(`/users/${user.id}/edit`)
  await expect(button(page, 'Save')).toBeVisible()
  await expect.poll(() => calls).toBe(1)
  await page.clock.fastForward(POLL_MS * 2)
  await field(page, 'First name').fill('Olena')
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/users')
  expect(calls).toBe(1)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the history fills the screen', async ({ page, make, vera }) => {
    const { id } = await make.workspace()
    const user = await make.user(id)
    await vera.api('PATCH', `users/${user.id}`, { type: 'MODERATOR' })
    await page.goto(`/users/${user.id}/edit`)
    await historyLink(page).click()
    await expect.poll(async () => (await panel(page).boundingBox())?.width).toBe(390)
    await openEvent(page, 'changed the type')
    await button(page, 'Put back Type').click()
    await expect(dialog(page, 'Put back Type?')).toBeVisible()
    await expect(button(page, 'Put back')).toBeEnabled()
    await expectAccessible(page)
    await button(page, 'Put back').click()
    await expectToast(page, 'Type put back.')
    await button(page, 'Close history').click()
    await expect(page.getByText('Last changed by Super Admin')).toBeVisible()
  })
})
