import type { Locator } from '@playwright/test'
import { listDashboards } from '@watchdesk/contract/dashboards'
import { createUser, deleteUser, listUsers } from '@watchdesk/contract/users'
import { button, dialog, field, toast } from '../workspaces-page.ts'
import type { Backend } from './backend.ts'
import { aDashboard, aUser, aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

const ROWS = 24

/** All lists share the button and the footer: each of them, at one of the widths. */
const LISTS = [
  { add: 'Create user', path: '/users?workspace_id=1', width: 1440 },
  { add: 'Create dashboard', path: '/dashboards', width: 1440 },
  { add: 'Create user', path: '/workspaces/1', width: 390 },
  { add: 'Create workspace', path: '/workspaces', width: 390 },
]

/** A full page of each, and some on the next one. */
function fill(backend: Backend) {
  const numbers = Array.from({ length: ROWS }, (_, index) => index + 1)
  keepWorkspaces(backend, ...numbers.map((id) => aWorkspace({ id })))
  answerList(
    backend,
    listUsers,
    numbers.map((id) => aUser({ id })),
  )
  answerList(
    backend,
    listDashboards,
    numbers.map((id) => aDashboard({ id })),
  )
}

/** Whether a click on its center reaches it. */
function isUncovered(element: Locator) {
  return element.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    return hit !== null && (node.contains(hit) || hit.contains(node))
  })
}

/** Rows scroll under the opaque footer, so the button on it covers no row. */
function liesOnFooter(button: Locator) {
  return button.evaluate((node) => {
    const footer = node.parentElement
    if (footer === null) return false
    const [inner, outer] = [node.getBoundingClientRect(), footer.getBoundingClientRect()]
    const isOpaque = getComputedStyle(footer).backgroundColor.startsWith('rgb(')
    return isOpaque && inner.top >= outer.top && inner.bottom <= outer.bottom && inner.right <= outer.right
  })
}

test('with many rows, the add button is visible and covers no row, and the focused action of a row is not below the footer', async ({
  page,
  backend,
  open,
}) => {
  fill(backend)
  for (const { add, path, width } of LISTS) {
    await page.setViewportSize({ width, height: 844 })
    await open(path)
    const actions = page.getByRole('button', { name: /^Delete/ })
    await expect(actions).toHaveCount(20)
    const button = page.getByRole('main').getByRole('link', { name: add, exact: true })
    for (const index of [10, 19]) {
      await actions.nth(index).focus()
      await expect.poll(() => isUncovered(actions.nth(index))).toBe(true)
      await expect(button).toBeInViewport({ ratio: 1 })
      expect(await isUncovered(button)).toBe(true)
      expect(await liesOnFooter(button)).toBe(true)
    }
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a list is sorted by any of its columns, a toast covers neither the title nor the top bar, the search shows no shortcut, and no button of a form is cut off', async ({
    page,
    backend,
    open,
  }) => {
    keepWorkspaces(backend, aWorkspace())
    answerList(backend, listUsers, [aUser()])
    backend.answer(deleteUser, undefined)
    backend.answer(createUser, { ...aUser({ first_name: 'Olena', last_name: 'Bondar' }) })
    await open('/users?search=Shevchuk')
    const sort = page.getByLabel('Sort by')
    await expect(sort.getByRole('option')).toHaveText(
      ['ID', 'Full Name', 'Email'].flatMap((name) => [`${name}, ascending`, `${name}, descending`]),
    )
    await sort.selectOption('Full Name, descending')
    await expect(page).toHaveURL(/sort=-full_name/)
    await expect.poll(() => backend.calls(listUsers).at(-1)?.query.sort).toBe('-full_name')

    await button(page, 'Delete Iryna Shevchuk').click()
    await button(dialog(page), 'Delete').click()
    await expect(toast(page)).toContainText('User removed successfully!')
    // It stays while the mouse is over it.
    await toast(page).hover()
    const title = page.getByRole('heading', { level: 1 })
    await expect(async () => {
      const [message, covered] = [await toast(page).boundingBox(), await title.boundingBox()]
      expect(message?.y).toBeGreaterThan((covered?.y ?? 0) + (covered?.height ?? 0))
      expect(await isUncovered(page.getByRole('banner').getByRole('button').last())).toBe(true)
      expect(await isUncovered(page.getByRole('link', { name: 'Create user' }))).toBe(true)
    }).toPass()
    await page.getByRole('searchbox').fill('')
    await expect(page.getByTitle('Press / to search')).toBeHidden()

    await open('/users/create?workspace_id=1')
    const box = async (name: string) => {
      const place = page.getByRole(name === 'Cancel' ? 'link' : 'button', { name, exact: true })
      return (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    }
    for (const isChanged of [false, true]) {
      if (isChanged) await field(page, 'First name').fill('Olena')
      await expect(async () => {
        const [cancel, another, create] = [
          await box('Cancel'),
          await box('Create and add another'),
          await box('Create'),
        ]
        expect(another.y).toBe(cancel.y)
        expect(create.y).toBeGreaterThan(cancel.y)
        expect([create.x, create.x + create.width]).toEqual([cancel.x, another.x + another.width])
      }).toPass()
    }
    await field(page, 'Last name').fill('Bondar')
    await field(page, 'Email').fill('olena@example.com')
    await button(page, 'Generate').click()
    await button(page, 'Create and add another').click()
    await expect(toast(page)).toContainText('User Olena Bondar created.')
    await field(page, 'First name').fill('Petro')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    await expect.poll(() => isUncovered(button(page, 'Create and add another'))).toBe(true)
  })
})

test.describe('on paper', () => {
  // The width of A4.
  test.use({ colorScheme: 'dark', viewport: { width: 794, height: 1123 } })

  test('a list is printed in black on white, in full and without controls', async ({ page, backend, open }) => {
    const email = `${'long'.repeat(12)}@print-media.example`
    answerList(backend, listUsers, [aUser({ email })])
    await open('/users?workspace_id=1')
    await expect(page.getByText(email)).toBeVisible()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const gone of [
      page.getByRole('banner'),
      page.getByRole('navigation', { name: 'Main' }),
      page.getByRole('searchbox'),
      page.getByRole('link', { name: 'Create user' }),
      page.getByRole('button', { name: /^Delete/ }),
    ]) {
      await expect(gone).toBeHidden()
    }
    const cell = page.getByRole('cell', { name: email })
    expect(await cell.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(794)
    await expect(cell.locator('xpath=ancestor::table/../..')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
    await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(21, 32, 36)')
  })
})
