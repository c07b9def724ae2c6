import { createDashboard } from '@watchdesk/contract/dashboards'
import { getWorkspace, updateWorkspace } from '@watchdesk/contract/workspaces'
import { ai, button, dialog, expectError, field, row, select, toast } from '../workspaces-page.ts'
import { aWorkspace } from './records.ts'
import { expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

const ATLAS = aWorkspace({ id: 1, name: 'Atlas' })
const VISTULA = aWorkspace({ id: 2, name: 'Vistula' })

test('typing into a filled workspace picker replaces its name', async ({ page, backend, open }) => {
  keepWorkspaces(backend, ATLAS, VISTULA)
  const picker = select(page, 'Workspace')
  await open('/users/create?workspace_id=1')
  await expect(picker).toHaveValue('Atlas')
  // Leaving the field selects what was typed.
  for (const [reach, name] of [
    [() => picker.click(), 'Vistula'],
    [() => picker.focus(), 'Atlas'],
  ] as const) {
    await field(page, 'First name').focus()
    await reach()
    await page.keyboard.type(name)
    await expect(picker).toHaveValue(name)
    await expect(page.getByRole('option').first()).toHaveText(name)
  }
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(picker).toHaveValue('Atlas')

  // Also when the list has loaded but the workspace itself has not.
  backend.hold(getWorkspace)
  await open('/users/create?workspace_id=1')
  await expect(picker).toHaveValue('Atlas')
  await picker.click()
  await page.keyboard.type('Vistula')
  await expect(picker).toHaveValue('Vistula')
})

test('a form that creates something has the cursor in its first empty field', async ({ page, backend, open }) => {
  keepWorkspaces(backend, ATLAS)
  for (const [path, first] of [
    ['/users/create', select(page, 'Workspace')],
    ['/users/create?workspace_id=1', field(page, 'First name')],
  ] as const) {
    await open(path)
    await expect(first).toBeFocused()
    await expect(page.getByRole('option')).toHaveCount(0)
  }
  await open('/dashboards')
  await page.getByRole('link', { name: 'Create dashboard' }).first().click()
  await expect(field(page, 'Name')).toBeFocused()
})

test('saving offline shows an error and keeps the form, and works once online again', async ({
  page,
  backend,
  open,
}) => {
  keepWorkspaces(backend, ATLAS)
  await open('/workspaces/1/edit')
  await field(page, 'Description').fill('Written on a train')
  await page.context().setOffline(true)
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText('Something went wrong')
  await expect(toast(page)).toContainText('The server cannot be reached. Check your connection and try again.')
  await expect(field(page, 'Description')).toHaveValue('Written on a train')
  await page.context().setOffline(false)
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/workspaces/1')
  expect(backend.calls(updateWorkspace).map(({ headers }) => headers['if-match'])).toEqual(['"1"'])
})

test.describe('keys', () => {
  test('/ puts the cursor into the search of a list, and is an ordinary character in every field', async ({
    page,
    backend,
    open,
  }) => {
    keepWorkspaces(backend, ATLAS)
    await open('/workspaces')
    const search = page.getByRole('searchbox')
    await expect(search).toHaveAttribute('aria-keyshortcuts', '/')
    await expect(page.getByTitle('Press / to search')).toBeVisible()
    await expect(search).not.toBeFocused()
    await page.keyboard.press('/')
    await expect(search).toBeFocused()
    await expect(search).toHaveValue('')
    await page.keyboard.type('a/b')
    await expect(search).toHaveValue('a/b')
    await expect(page).toHaveURL(/search=a%2Fb/)
    await expect(page.getByTitle('Press / to search')).toHaveCount(0)
    await search.fill('Atlas')
    await button(page, 'Delete Atlas').click()
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('/')
    await expect(search).not.toBeFocused()
    await page.keyboard.press('Escape')
    await expect(row(page, 'Atlas')).toBeVisible()
  })

  test('Ctrl+S saves from any field, as the button does', async ({ page, backend, open }) => {
    keepWorkspaces(backend, ATLAS)
    await open('/workspaces/1/edit')
    await expect(button(page, 'Save')).toHaveAttribute('title', /^(Ctrl\+|⌘)S$/)
    await field(page, 'Description').fill('By keys alone')
    await field(ai(page), 'Next renewal date').fill('12/31/2027')
    await page.keyboard.press('Control+s')
    await expect(page).toHaveURL('/workspaces/1')
    expect(backend.calls(updateWorkspace).map(({ body }) => body)).toMatchObject([
      { description: 'By keys alone', ai_quota: { renewal_date: '2027-12-31T00:00:00' } },
    ])
  })

  test('Cmd+S saves too, and Ctrl+S on a Cyrillic keyboard; wrong fields are marked, and a dialog has the keys', async ({
    page,
    backend,
    open,
  }) => {
    await open('/dashboards/create')
    await expect(field(page, 'Name')).toBeFocused()
    const press = () =>
      page.evaluate(() =>
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'і', code: 'KeyS', ctrlKey: true, bubbles: true, cancelable: true }),
        ),
      )
    await press()
    await expectError(field(page, 'Name'), 'Name is required!')
    await expect(field(page, 'Name')).toBeFocused()
    await field(page, 'Name').fill('Reach')
    await page.keyboard.press('Meta+s')
    await expect(field(page, 'Embed link')).toBeFocused()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(dialog(page)).toHaveAccessibleName('Leave without saving?')
    expect(await press()).toBe(false)
    await button(page, 'Stay').click()
    await expect(field(page, 'Embed link')).toHaveAccessibleDescription(/^Embed link is required!/)
    await expect(toast(page)).toHaveCount(0)
    expect(backend.calls(createDashboard)).toEqual([])
  })
})
