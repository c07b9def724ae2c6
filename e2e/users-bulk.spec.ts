import type { Page } from '@playwright/test'
import type { User } from '@watchdesk/contract/users'
import { runSql } from './database.ts'
import { expectRow } from './sources-page.ts'
import { expect } from './test.ts'
import type { Watchdesk } from './watchdesk.ts'
import { bar, button, dialog, test, toast, unique } from './workspaces-page.ts'

const all = (page: Page) => page.getByRole('checkbox', { name: 'Select all on this page' })
const box = (page: Page, { first_name, last_name }: User) =>
  page.getByRole('checkbox', { name: `Select ${first_name} ${last_name}`, exact: true })

/** Users whose names have a word that nobody else has. */
async function insertUsers(watchdesk: Pick<Watchdesk, 'data'>, workspace_id: number, count: number) {
  const word = unique('Many')
  await runSql(
    watchdesk,
    `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
      select $1::int, 'Olena' || n, $2::text, lower($2::text) || n || '@example.com', 'none', false, true, 'STANDARD', ''
      from generate_series(1, $3::int) n`,
    [workspace_id, word, count],
  )
  return word
}

test('30 users are moved in less than ten clicks, and the move is undone as a whole', async ({
  page,
  api,
  make,
  watchdesk,
}) => {
  const [from, to] = [await make.workspace(), await make.workspace()]
  const word = await insertUsers(watchdesk, from.id, 30)
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
  await button(page, 'Show all 30').click()
  await expect(dialog(page).getByRole('list', { name: 'What changes' }).getByRole('listitem')).toHaveCount(30)
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
})

test('the preview says what is left out and why, and the page of the change lists it', async ({
  page,
  api,
  make,
  watchdesk,
}) => {
  const { id: workspace_id } = await make.workspace()
  const word = await insertUsers(watchdesk, workspace_id, 2)
  const me = await api<User>('GET', 'users/me')
  await page.goto(`/users?search=${word}`)
  await expect(page.getByRole('main')).toContainText('2 users found')
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
})
