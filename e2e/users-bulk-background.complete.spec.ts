import type { Page } from '@playwright/test'
import { runSql } from './database.ts'
import { LONG, postJob, sourcesFile } from './jobs-page.ts'
import { expect } from './test.ts'
import { button, dialog, heading, test, toast, unique } from './workspaces-page.ts'

const MANY = 20_001
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const result = (page: Page) => page.getByRole('region', { name: 'Result' })

test('more than 20,000 users are changed in the background, which can be cancelled, and undone as a whole', async ({
  page,
  api,
  make,
  watchdesk,
}) => {
  test.setTimeout(420_000)
  const { id } = await make.workspace()
  const word = unique('Crowd')
  await runSql(
    watchdesk,
    `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
      select $1::int, 'Olena', $2::text || n, lower($2::text) || n || '@example.com', 'none', false, false, 'STANDARD', ''
      from generate_series(1, $3::int) n`,
    [id, word, MANY],
  )

  async function changeAll() {
    await page.goto(`/users?search=${word}`)
    await expect(page.getByRole('main')).toContainText('20,001 users found', LONG)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await button(page, 'Select all 20,001 that match').click()
    await bar(page).getByRole('button', { name: 'Change' }).click()
    await dialog(page).getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'MODERATOR' }).click()
    await button(page, 'Preview').click()
    await button(page, 'Change 20,001 users').click(LONG)
    await expect(toast(page).last()).toContainText(
      'Set the type of 20,001 users to MODERATOR: this continues in the background. You will see a message when it ends.',
      LONG,
    )
    await expect(bar(page)).toHaveCount(0)
  }
  const moderators = () => api<{ total: number }>('GET', `users/?search=${word}&type=MODERATOR`)

  // A server carries out one job at a time, so the next one waits.
  await page.goto('/users')
  const before = await postJob(page, sourcesFile(300_000, unique('earlier')))
  await changeAll()
  await toast(page).last().getByRole('link', { name: 'Show progress' }).click()
  await expect(heading(page)).toHaveText('Bulk change of users')
  await expect(result(page)).toContainText('Waiting to start')
  await result(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Cancel the change “Set the type of 20,001 users to MODERATOR”?')
  await button(page, 'Cancel change').click()
  await expect(result(page)).toContainText('Cancelled. Nothing was changed.', LONG)
  await expect(page.locator('[data-kind=error]')).toContainText('The bulk change of users was cancelled.')
  await before.cancel()
  expect(await moderators()).toMatchObject({ total: 0 })

  await changeAll()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Website config' }).click()
  const ended = toast(page).filter({ has: page.getByRole('link', { name: 'Show or undo' }) })
  await expect(ended).toContainText('Set the type of 20,001 users to MODERATOR.', LONG)
  expect(await moderators()).toMatchObject({ total: MANY })
  await ended.getByRole('link', { name: 'Show or undo' }).click()
  await button(page, 'Undo change').click()
  await expect(dialog(page)).toContainText('Gives 20,001 users their former values back.', LONG)
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  const undone = toast(page).filter({ hasText: 'Undone: Bulk change of users.' })
  await expect(undone).toContainText('Gave 20,001 users their former values back.', LONG)
  expect(await moderators()).toMatchObject({ total: 0 })
})
