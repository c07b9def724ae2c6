import { listAuditEvents } from '@watchdesk/contract/activity'
import { updateUser } from '@watchdesk/contract/users'
import { getWorkspace, updateWorkspace, type Workspace } from '@watchdesk/contract/workspaces'
import { expectAccessible } from '../accessible.ts'
import { question, save } from '../merge-page.ts'
import { button, dialog, field, toast } from '../workspaces-page.ts'
import { Refusal } from './backend.ts'
import { anEvent, answerEvents } from './events.ts'
import { aUser, aWorkspace } from './records.ts'
import { expect, test } from './test.ts'
import { answerUsers } from './users.ts'
import { keepWorkspaces, saveAsVera } from './workspaces.ts'

const VERA = { id: 8, name: 'Vera Moroz' }
let rows: Workspace[]

test('a password that both have changed is asked about, without showing it', async ({ page, backend, open }) => {
  const users = [aUser()]
  answerUsers(backend, users)
  await open('/users/10/edit')
  await page.getByRole('switch', { name: 'Change password' }).check()
  await field(page, 'Password').fill('my river stone')
  users[0] = aUser({ version: 2 })
  answerEvents(backend, [anEvent({ actor: VERA, changes: { password: { before: null, after: null } } })])
  backend.answer(updateUser, ({ headers, body }) => {
    if (headers['if-match'] !== '"2"') return new Refusal(412, 'This user was changed.')
    expect(body).not.toHaveProperty('password')
    return aUser({ version: 3 })
  })
  await button(page, 'Save').click()
  await expect(question(page, 'Password')).toHaveText(/changed by Vera Moroz.*MineYour new oneTheirsTheir new one$/)
  await question(page, 'Password').getByText('Their new one').click()
  await save(page).click()
  await expect(page).toHaveURL('/users')
})

test.describe('a workspace', () => {
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

  test('cancel changes nothing, and choices are kept when saving fails', async ({ page, backend }) => {
    saveAsVera(rows, { description: 'Their text', config: { homepage: '/theirs' } })
    await button(page, 'Save').click()
    await expect(question(page, 'Description')).toBeVisible()
    await expectAccessible(page)
    await button(dialog(page), 'Cancel').click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(field(page, 'Description')).toHaveValue('My text')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    expect(rows).toMatchObject([{ description: 'Their text', version: 2 }])

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

  test('saving a record that was deleted meanwhile says who deleted it, and links to the bin', async ({
    page,
    backend,
  }) => {
    backend.refuse(updateWorkspace, 404, 'Workspace not found.')
    backend.refuse(getWorkspace, 404, 'Workspace not found.')
    answerEvents(backend, [anEvent({ actor: VERA, entity: 'workspace', entity_id: 1, action: 'delete', changes: {} })])
    await button(page, 'Save').click()
    await expect(toast(page)).toContainText('This workspace was deleted by Vera Moroz today at')
    await expect(toast(page).getByRole('link', { name: 'Open the bin' })).toHaveAttribute('href', '/bin')
    await expect(field(page, 'Description')).toHaveValue('My text')
  })

  test('someone saves again while the merged values are sent: they are merged once more', async ({ page }) => {
    saveAsVera(rows, { status: 'PAID_CLIENT' })
    const changes = [{}, { homepage: '/first' }, { language: 'uk' }, { homepage: '/second' }]
    await page.route('**/api/v1/workspaces/1', async (route) => {
      const config = route.request().method() === 'PUT' && changes.shift()
      if (config) saveAsVera(rows, { config })
      await route.fallback()
    })
    await button(page, 'Save').click()
    await expect(page).toHaveURL('/workspaces/1')
    expect(rows).toMatchObject([
      { description: 'My text', status: 'PAID_CLIENT', config: { homepage: '/second', language: 'uk' } },
    ])
  })
})
