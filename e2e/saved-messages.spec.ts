import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'
import {
  ai,
  analytical,
  button,
  choose,
  dialog,
  field,
  fillQuota,
  heading,
  row,
  rows,
  select,
  test,
  toast,
  unique,
} from './workspaces-page.ts'

const link = { name: 'Show', exact: true }

test('the message about a new user has the trimmed name and a link that finds the user among many others', async ({
  page,
  make,
}) => {
  const { name } = await make.workspace()
  const last = unique('Marchenko')
  await page.goto('/users/create')
  await select(page, 'Workspace').fill(name)
  await choose(page, 'Workspace', name)
  await field(page, 'First name').fill('  Olena ')
  await field(page, 'Last name').fill(`${last}  `)
  await field(page, 'Email').fill(`${last}@example.com`)
  await button(page, 'Generate').click()
  await button(page, 'Create').click()
  await expect(page).toHaveURL(/\/users(\?|$)/)
  await expect(toast(page)).toContainText(`User Olena ${last} created.`)
  await toast(page).getByRole('link', link).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(row(page, last)).toContainText(`Olena ${last}`)
  await expect(toast(page)).toHaveCount(0)

  await row(page, last)
    .getByRole('link', { name: `Edit Olena ${last}` })
    .click()
  await field(page, 'First name').fill('Olha')
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText(`User Olha ${last} saved.`)
})

test('the message about a new workspace has its name and a link to it', async ({ page, api }) => {
  const name = unique('Vistula')
  await page.goto('/workspaces/create')
  await field(page, 'Name').fill(`  ${name}  `)
  await fillQuota(analytical(page), '1', '2', '2027-01-01')
  await fillQuota(ai(page), '1', '2', '2027-01-01')
  await button(page, 'Create').click()
  await expect(page).toHaveURL(/\/users\/create\?workspace_id=\d+$/)
  await expect(toast(page)).toContainText(`Workspace ${name} created.`)
  await toast(page).getByRole('link', link).click()
  await expect(heading(page)).toHaveText(name)
  const id = new URL(page.url()).pathname.split('/').at(-1)
  expect(await api('GET', `workspaces/${id}`)).toMatchObject({ name })

  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Description').fill('Regional')
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText(`Workspace ${name} saved.`)
})

test('the messages after creating and editing a dashboard have its name', async ({ page }) => {
  const name = unique('Reach')
  await page.goto('/dashboards/create')
  await field(page, 'Name').fill(` ${name} `)
  await field(page, 'Embed link').fill('https://bi.example/1')
  await button(page, 'Create').click()
  await expect(page).toHaveURL('/dashboards')
  await expect(toast(page)).toContainText(`Dashboard ${name} created.`)
  await toast(page).getByRole('link', link).click()
  await expect(field(page, 'Name')).toHaveValue(name)
  await field(page, 'Description').fill('Weekly')
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText(`Dashboard ${name} saved.`)
  await expect(row(page, name)).toContainText('Weekly')
})

test('the error of an earlier attempt disappears once the user is created, and the panel has the trimmed name', async ({
  page,
  make,
  faults,
}) => {
  faults.allow(/status of 409/)
  const { id } = await make.workspace()
  const known = await make.user(id)
  const last = unique('Marchenko')
  await page.goto(`/users/create?workspace_id=${id}`)
  await field(page, 'First name').fill(' Olena  ')
  await field(page, 'Last name').fill(last)
  await field(page, 'Email').fill(known.email)
  await button(page, 'Generate').click()
  await button(page, 'Create').click()
  await expect(toast(page)).toHaveText('A user with this email already exists.')
  // A message stays open on hover until it is replaced.
  await toast(page).hover()
  await field(page, 'Email').fill(`${last}@example.com`)
  await field(page, 'Email').press('Enter')
  await expect(toast(page).filter({ hasText: `User Olena ${last} created.` })).toBeVisible()
  await expect(toast(page)).toHaveCount(1)
  await expect(button(page, `Copy password of Olena ${last}`)).toHaveAttribute(
    'aria-label',
    `Copy password of Olena ${last}`,
  )
})

test('a message stays while the focus is inside it, and goes after its usual time once the focus has left', async ({
  page,
  make,
}) => {
  const { name } = await make.dashboard()
  await page.clock.install()
  await page.goto('/dashboards')
  await button(page, `Delete ${name}`).click()
  await button(page, 'Delete').click()
  await expect(dialog(page)).toHaveCount(0)
  const undo = button(toast(page), 'Undo')
  await undo.focus()
  await page.clock.fastForward(20_000)
  await expect(undo).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await page.clock.fastForward(20_000)
  await expect(undo).toBeFocused()

  await undo.blur()
  await page.clock.fastForward(6_000)
  await expect(undo).toBeVisible()
  await page.clock.fastForward(6_000)
  await expect(toast(page)).toHaveCount(0)
})

test('a message is swiped away with a finger; a short swipe leaves it', async ({ page, make }) => {
  const { name } = await make.dashboard()
  await page.goto('/dashboards')
  await button(page, `Delete ${name}`).click()
  await button(page, 'Delete').click()
  await expect(toast(page)).toBeVisible()

  await swipe(page, toast(page), 0.2)
  await expect(toast(page)).toBeVisible()
  await swipe(page, toast(page), 0.6)
  await expect(toast(page)).toHaveCount(0)
})

/** With a finger, to the left, by a part of the width. */
async function swipe(page: Page, element: Locator, part: number) {
  const { x, y, width } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', moved: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + width * (0.7 - moved), y: y + 4 }],
    })
  await touch('touchStart', 0)
  for (const moved of [part / 4, part / 2, part]) await touch('touchMove', moved)
  await touch('touchEnd', part)
  await session.detach()
}
