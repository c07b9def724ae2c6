import { listAuditEvents } from '@watchdesk/contract/audit'
import { updateWorkspace, type Workspace } from '@watchdesk/contract/workspaces'
import { question, save } from '../merge-page.ts'
import { button, dialog, field, toast } from '../workspaces-page.ts'
import { aWorkspace } from './records.ts'
import { expect, test } from './test.ts'
import { keepWorkspaces, saveAsVera } from './workspaces.ts'

let rows: Workspace[]

test.beforeEach(async ({ page, backend, open }) => {
  rows = keepWorkspaces(backend, aWorkspace())
  await open('/workspaces/1/edit')
  await field(page, 'Description').fill('My text')
})

test('fields are decided with the keyboard on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await field(page, 'Name').fill('My name')
  saveAsVera(rows, { name: 'Their name', description: 'Their text' })
  await field(page, 'Name').press('Enter')
  await expect(question(page, 'Name').getByRole('radio', { name: 'Mine' })).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await expect(question(page, 'Description').getByRole('radio', { name: 'Theirs' })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/workspaces/1')
  expect(rows).toMatchObject([{ name: 'My name', description: 'Their text' }])
})

test('a field that is changed again while the dialog is open is asked about again', async ({ page }) => {
  await field(page, 'Name').fill('My name')
  saveAsVera(rows, { name: 'Their name', description: 'Their text' })
  await button(page, 'Save').click()
  await question(page, 'Name').getByText('My name').click()
  await question(page, 'Description').getByText('My text').click()
  saveAsVera(rows, { description: 'Their newer text' })
  await save(page).click()
  await expect(dialog(page).getByRole('radiogroup')).toHaveCount(1)
  await expect(dialog(page).getByRole('radio', { checked: true })).toHaveCount(0)
  await question(page, 'Description').getByText('Their newer text').click()
  await save(page).click()
  await expect(page).toHaveURL('/workspaces/1')
  expect(rows).toMatchObject([{ name: 'My name', description: 'Their newer text' }])
})

test('choices are kept when saving fails', async ({ page, backend }) => {
  saveAsVera(rows, { description: 'Their text', config: { homepage: '/theirs' } })
  await button(page, 'Save').click()
  await question(page, 'Description').getByText('My text').click()
  backend.refuse(updateWorkspace, 400, 'No.')
  await save(page).click()
  await expect(toast(page)).toHaveText('No.')
  await expect(dialog(page)).toHaveCount(0)
  const kept = keepWorkspaces(backend, ...rows)
  await button(page, 'Save').click()
  await expect(page).toHaveURL('/workspaces/1')
  expect(kept).toMatchObject([{ description: 'My text', config: { homepage: '/theirs' } }])
})

test('without events, the dialog says who changed the record last', async ({ page, backend }) => {
  backend.refuse(listAuditEvents, 404, 'Not found.')
  saveAsVera(rows, { description: 'Their text', status: 'INTERNAL' })
  await button(page, 'Save').click()
  await expect(dialog(page)).toContainText('This workspace was changed by Vera Moroz today at')
  await expect(dialog(page)).toContainText('Someone else changed Status in the meantime. This change is kept.')
  await expect(question(page, 'Description')).toHaveText('DescriptionMineMy textTheirsTheir text')
})
