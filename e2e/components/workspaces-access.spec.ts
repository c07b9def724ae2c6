import type { Page } from '@playwright/test'
import * as catalog from '@watchdesk/contract/catalog'
import { tabTo } from '../keyboard.ts'
import { ai, analytical, button, dialog, field, section, select, slider } from '../workspaces-page.ts'
import { expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

test('a workspace is created without a mouse', async ({ page, backend, open }) => {
  const workspaces = keepWorkspaces(backend)
  backend.answer(catalog.allRoles, ['search', 'narratives', 'cases', 'alerts', 'reports', 'ucbi'])
  backend.answer(catalog.availableRoles, ['search', 'narratives', 'cases', 'alerts', 'reports'])
  const keys = page.keyboard
  await open('/workspaces?search=Meridian')
  await expect(page.getByText('No workspaces match.')).toBeVisible()
  await tabTo(page, page.getByRole('link', { name: 'Create workspace' }))
  await keys.press('Enter')
  await tabTo(page, field(page, 'Name'))
  await keys.type('Meridian')
  await keys.press('Tab')
  await keys.type('By keyboard')
  await keys.press('Tab')
  await expect(select(page, 'Status')).toBeFocused()
  await pick(page, 'TRIAL')
  await tabTo(page, field(page, 'Trial end date'))
  await keys.type('2027-03-31')
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
    await keys.type('40')
    await keys.press('Tab')
    await keys.type('100')
    await keys.press('Tab')
    await keys.type('2027-01-01')
  }
  await tabTo(page, select(page, 'Roles'))
  await keys.press('Backspace')
  await keys.type('ucbi')
  await pick(page, 'ucbi')
  await tabTo(page, section(page, 'Advanced configuration'))
  await keys.press('Space')
  await tabTo(page, slider(page, 'Search similarity threshold'))
  await keys.press('ArrowRight')
  await keys.press('ArrowRight')
  await tabTo(page, slider(page, 'Narratives similarity threshold'))
  await keys.press('Home')
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
        roles: ['search', 'narratives', 'cases', 'alerts', 'ucbi'],
        search_similarity_threshold: 0.1,
        narratives_similarity_threshold: 0,
        is_ucbi_reporter: true,
        is_ucbi_admin: false,
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
