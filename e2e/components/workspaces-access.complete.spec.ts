import type { Page } from '@playwright/test'
import * as catalog from '@watchdesk/contract/catalog'
import { tabTo } from '../keyboard.ts'
import { ai, analytical, button, dialog, field, section, select, slider } from '../workspaces-page.ts'
import { expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

test('a workspace is created without a mouse', async ({ page, backend, open }) => {
  const workspaces = keepWorkspaces(backend)
  backend.answer(catalog.allRoles, ['search', 'cases', 'ucbi'])
  backend.answer(catalog.availableRoles, ['search', 'cases'])
  const keys = page.keyboard
  await open('/workspaces/create')
  await tabTo(page, field(page, 'Name'))
  await keys.insertText('Meridian')
  await keys.press('Tab')
  await keys.insertText('By keyboard')
  await keys.press('Tab')
  await expect(select(page, 'Status')).toBeFocused()
  await pick(page, 'TRIAL')
  await tabTo(page, field(page, 'Trial end date'))
  await keys.insertText('2027-03-31')
  await keys.press('Tab')
  await expect(button(page, 'Choose trial end date')).toBeFocused()
  await keys.press('Enter')
  await expect(dialog(page).getByRole('button', { name: /^31 March 2027/ })).toBeFocused()
  await keys.press('ArrowUp')
  await keys.press('Enter')
  await expect(field(page, 'Trial end date')).toHaveValue('2027-03-24')
  await expect(button(page, 'Choose trial end date')).toBeFocused()

  for (const quota of [analytical(page), ai(page)]) {
    await tabTo(page, field(quota, 'Balance'))
    await keys.insertText('40')
    await keys.press('Tab')
    await keys.insertText('100')
    await keys.press('Tab')
    await keys.insertText('2027-01-01')
  }
  await tabTo(page, select(page, 'Roles'))
  await keys.press('Backspace')
  await keys.insertText('ucbi')
  await pick(page, 'ucbi')
  await tabTo(page, section(page, 'Advanced configuration'))
  await keys.press('Space')
  await tabTo(page, slider(page, 'Search similarity threshold'))
  await keys.press('ArrowRight')
  await tabTo(page, page.getByRole('checkbox', { name: 'UCBI reporter' }))
  await keys.press('Space')
  await tabTo(page, button(page, 'Create'))
  await keys.press('Enter')
  await expect(page).toHaveURL(/\/users\/create\?workspace_id=\d+$/)

  expect(workspaces).toMatchObject([
    {
      name: 'Meridian',
      description: 'By keyboard',
      status: 'TRIAL',
      trial_end_date: '2027-03-24T00:00:00',
      ai_quota: { balance: 40, limit: 100, renewal_date: '2027-01-01T00:00:00' },
      config: {
        roles: ['search', 'ucbi'],
        search_similarity_threshold: 0.05,
        is_ucbi_reporter: true,
      },
    },
  ])
})

/** Moves down the options of the focused field. */
async function pick(page: Page, option: string) {
  const current = page.locator('[data-combobox-selected]')
  for (let presses = 0; presses < 10; presses += 1) {
    await page.keyboard.press('ArrowDown')
    await expect(current).toBeVisible()
    if ((await current.textContent()) === option) return page.keyboard.press('Enter')
  }
  throw new Error(`The arrow keys do not reach ${option}`)
}
