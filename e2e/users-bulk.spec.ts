import type { Page } from '@playwright/test'
import type { User } from '@watchdesk/contract/users'
import { expectAccessible } from './accessible.ts'
import { expectRow } from './sources-page.ts'
import { expect } from './test.ts'
import { button, dialog, type Make, rows, test, toast, unique } from './workspaces-page.ts'

const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const all = (page: Page) => page.getByRole('checkbox', { name: 'Select all on this page' })
const box = (page: Page, { first_name, last_name }: User) =>
  page.getByRole('checkbox', { name: `Select ${first_name} ${last_name}`, exact: true })

async function open(page: Page, search: string, count: number) {
  await page.goto(`/users?search=${search}`)
  await expect(page.getByRole('main')).toContainText(`${count} ${count === 1 ? 'user' : 'users'} found`)
}

/** Users whose names have a word that nobody else has. */
async function makeUsers(make: Make, workspace_id: number, count: number, fields: object = {}) {
  const word = unique('Many')
  const made: User[] = []
  for (let index = 0; index < count; index += 1) {
    made.push(await make.user(workspace_id, { first_name: `Olena${index}`, last_name: word, ...fields }))
  }
  return { word, made }
}

test('30 users are moved in less than ten clicks, and the move is undone as a whole', async ({ page, api, make }) => {
  test.setTimeout(120_000)
  const [from, to] = [await make.workspace(), await make.workspace()]
  const { word } = await makeUsers(make, from.id, 30)
  await page.goto('/users')
  await page.evaluate(() => {
    Object.assign(window, { clicks: 0 })
    document.addEventListener(
      'click',
      ({ isTrusted }) => isTrusted && Object.assign(window, { clicks: clicks() + 1 }),
      true,
    )
    function clicks() {
      return (window as unknown as { clicks: number }).clicks
    }
  })
  await page.getByRole('searchbox').click()
  await page.getByRole('searchbox').fill(word)
  await expect(page.getByRole('main')).toContainText('30 users found')
  await all(page).click()
  await expect(bar(page)).toContainText('20 selected')
  await button(page, 'Select all 30 that match').click()
  await expect(bar(page)).toContainText('30 selected')
  await button(page, 'Move to workspace').click()
  await expect(dialog(page)).toHaveAccessibleName('Move users to another workspace')
  await expect(dialog(page)).toContainText('For all 30 users that match.')
  await dialog(page).getByRole('combobox', { name: 'Workspace' }).fill(to.name)
  await page.getByRole('option', { name: to.name, exact: true }).click()
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText(`30 users will move to ${to.name}.`)
  await expect(dialog(page)).toContainText(`Workspace: ${from.name} → ${to.name}`)
  await expectAccessible(page)
  const request = page.waitForRequest('**/api/v1/users/change')
  await button(page, 'Move 30 users').click()
  expect((await request).postDataJSON()).toEqual({
    action: 'update',
    set: { workspace_id: to.id },
    filter: { search: word },
    expected_count: 30,
    expected_changed_count: 30,
    expected_checksum: expect.any(String),
  })
  await expect(toast(page)).toContainText(`Moved 30 users to ${to.name}.`)
  expect(await page.evaluate(() => (window as unknown as { clicks: number }).clicks)).toBeLessThan(10)
  await expect(bar(page)).toHaveCount(0)
  // Not lost with the bar, so that the keyboard continues on this page.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  const inWorkspace = (id: number) => api<{ total: number }>('GET', `users/?workspace_ids=${id}`)
  expect(await inWorkspace(to.id)).toMatchObject({ total: 30 })

  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).last()).toContainText('Undone: gave 30 users their former values back.')
  expect(await inWorkspace(from.id)).toMatchObject({ total: 30 })
  await toast(page).last().getByRole('button', { name: 'Redo' }).click()
  await expect(toast(page).last()).toContainText('Redone: changed 30 users again.')
  expect(await inWorkspace(to.id)).toMatchObject({ total: 30 })
})

test('the preview says what is left out and why, and the page of the change lists it', async ({ page, api, make }) => {
  const { id: workspace_id } = await make.workspace()
  const { word, made } = await makeUsers(make, workspace_id, 2, { is_super_admin: true })
  const me = await api<User>('GET', 'users/me')
  await open(page, word, 2)
  await all(page).check()
  await page.getByRole('searchbox').fill(me.email)
  await expect(page.getByRole('main')).toContainText('1 user found')
  await box(page, me).check()
  await expect(bar(page)).toContainText('3 selected')
  await bar(page).getByRole('button', { name: 'Change' }).click()
  await button(page, 'Preview').click()
  await expect(dialog(page).getByRole('combobox', { name: 'Type' })).toHaveAccessibleDescription(
    'Choose what to change.',
  )
  await dialog(page).getByRole('combobox', { name: 'Super admin' }).click()
  await page.getByRole('option', { name: 'No' }).click()
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('2 users will get a new role.')
  await expect(dialog(page).getByRole('region', { name: 'Left out' })).toHaveText(
    `1 user is left out:${me.first_name} ${me.last_name}You cannot remove your own admin rights. Ask another admin to do it.`,
  )
  await expectAccessible(page)
  // What was chosen is still there.
  await button(page, 'Back').click()
  await expect(dialog(page).getByRole('combobox', { name: 'Super admin' })).toHaveValue('No')
  await button(page, 'Preview').click()
  await button(page, 'Change 2 users').click()
  await expect(toast(page)).toContainText('Removed the super admin rights of 2 users. 1 left out.')

  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Removed the super admin rights of 2 users')
  await expectRow(page, 1, /refused.*You cannot remove your own admin rights/)
  await expectRow(page, 2, new RegExp(`${word}.*super admin: yes → no.*changed`))
  await page.goto('/imports')
  await expect(rows(page).first()).toContainText('Bulk change of users')
  await expect(rows(page).first()).toContainText('Removed the super admin rights of 2 users')

  await page.goto('/activity')
  const event = page.getByRole('listitem').filter({ hasText: 'turned off super admin for 2 users' })
  await event.getByRole('button', { name: /^Details/ }).click()
  const parts = event.getByRole('list', { name: 'Parts of this event' })
  await expect(parts.getByRole('listitem')).toHaveCount(2)
  await expect(parts).toContainText(`turned off super admin for ${made[0]?.first_name} ${word}`)
})

test('if the number has changed since the preview, the new numbers are confirmed first', async ({
  page,
  make,
  faults,
}) => {
  faults.allow(/status of 409/)
  const { id } = await make.workspace()
  const { word } = await makeUsers(make, id, 2)
  await open(page, word, 2)
  await all(page).check()
  // Both are on this page: all that match are chosen by the filter only with more.
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('2 users will lose access immediately.')
  await button(page, 'Cancel').click()
  await expect(bar(page).getByRole('button', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Tab')
  await all(page).uncheck()
  const boxes = page.getByRole('checkbox', { name: new RegExp(word) })
  await boxes.first().focus()
  await page.keyboard.press('Space')
  await button(page, 'Select all 2 that match').click()
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('2 users will lose access immediately.')
  await make.user(id, { last_name: word })
  await expect(dialog(page)).toContainText(
    'You can undo the whole deletion for 30 days, from the message that follows or from Imports.',
  )
  await button(page, 'Delete 2 users').click()
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'Nothing was changed. 3 users match now instead of 2. Check what will change and try again.',
  )
  await expect(dialog(page)).toContainText('3 users will lose access immediately.')
  await button(page, 'Delete 3 users').click()
  await expect(toast(page)).toContainText('Deleted 3 users.')
  await expect(page.getByRole('main')).toContainText('No users match.')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).last()).toContainText('Undone: restored 3 users.')
  await expect(rows(page)).toHaveCount(3)
})

test('the undo of a change shows who changed since, and leaves them alone unless chosen', async ({
  page,
  api,
  make,
}) => {
  const { id } = await make.workspace()
  const { word, made } = await makeUsers(make, id, 2)
  await open(page, word, 2)
  await all(page).check()
  await bar(page).getByRole('button', { name: 'Change' }).click()
  await dialog(page).getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'MODERATOR' }).click()
  await button(page, 'Preview').click()
  await button(page, 'Change 2 users').click()
  await expect(toast(page)).toContainText('Set the type of 2 users to MODERATOR.')
  await api('PATCH', `users/${made[0]?.id}`, { type: 'UNDERPRIVILEGED' })
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await button(page, 'Undo change').click()
  await expect(dialog(page)).toHaveAccessibleName('Undo the bulk change of users?')
  await expect(dialog(page)).toContainText('Gives 1 user their former values back.')
  await expect(dialog(page)).toContainText('1 user changed since.')
  await expect(dialog(page)).toContainText('Type: UNDERPRIVILEGED → STANDARD')
  await expectAccessible(page)
  await button(page, 'Undo').click()
  await expect(toast(page).last()).toContainText('Gave 1 user their former values back and left 1 user alone.')
})
