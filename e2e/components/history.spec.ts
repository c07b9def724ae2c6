import { previewPutBack, putBack } from '@watchdesk/contract/activity'
import { currentUser } from '@watchdesk/contract/auth/session'
import { getDashboard, listDashboards } from '@watchdesk/contract/dashboards'
import { getUser, listUsers } from '@watchdesk/contract/users'
import { getWorkspace, listWorkspaces, workspaceImpact } from '@watchdesk/contract/workspaces'
import { expectAccessible } from '../accessible.ts'
import { dialog, expectToast, historyLink, openEvent, panel, preview } from '../history-page.ts'
import { button, field, select } from '../workspaces-page.ts'
import { type Backend, Refusal } from './backend.ts'
import { anEvent, answerEvents } from './events.ts'
import { aDashboard, aUser, aWorkspace, ME } from './records.ts'
import { answerList, expect, test } from './test.ts'

const ADDRESS = '/users/10/edit?history=true'
const earlier = { note: null, problem: null }
const BALTIC = { name: 'Baltic', detail: null, state: 'live', current_name: 'Baltic' } as const

test.beforeEach(({ backend }) => answerList(backend, listWorkspaces, [aWorkspace()], getWorkspace))

/** A user whose type was changed, and can be put back. */
function answerChanged(backend: Backend) {
  const user = aUser({ type: 'MODERATOR', version: 2 })
  const events = [
    anEvent({ id: 2 }),
    anEvent({ id: 1, action: 'create', version: 1, changes: { type: { before: null, after: 'STANDARD' } } }),
  ]
  answerList(backend, listUsers, [user], getUser)
  answerEvents(backend, events)
  backend.answer(previewPutBack, () => ({
    ...{ entity: 'user' as const, entity_id: 10, version: user.version },
    fields: [{ field: 'type', current: user.type, earlier: 'STANDARD', ...earlier }],
  }))
  backend.answer(putBack, ({ headers }) => {
    if (headers['if-match'] !== `"${user.version}"`)
      return new Refusal(412, `This user was changed by Vera Bondar at ${new Date().toISOString()}.`)
    const changes = { type: { before: user.type, after: 'STANDARD' } }
    Object.assign(user, { type: 'STANDARD', version: user.version + 1 })
    events.unshift(anEvent({ id: user.version, action: 'put_back', version: user.version, changes }))
    return { version: user.version }
  })
  return user
}

test('a password and ended sessions are in the history, but cannot be put back', async ({ page, backend, open }) => {
  answerChanged(backend)
  const type = { before: 'STANDARD', after: 'MODERATOR' }
  const changes = { password: { before: null, after: null }, sessions: { before: 1, after: 0 }, type }
  answerEvents(backend, [anEvent({ id: 2, changes })])
  await open(ADDRESS)
  await openEvent(page, 'changed')
  await expect(panel(page).getByRole('rowheader', { name: 'Password' })).toBeVisible()
  await expect(panel(page).getByRole('rowheader', { name: 'Sessions' })).toBeVisible()
  await expect(panel(page).getByRole('button', { name: /^Put back/ })).toHaveCount(1)
  await expect(button(page, 'Put back Type')).toBeVisible()
  await button(page, 'Before this change').click()
  await expect(preview(page).getByRole('rowheader')).toHaveText(['Type'])
})

test('what no longer exists is explained: a deleted dashboard is left out, a deleted workspace cannot be put back', async ({
  page,
  backend,
  open,
}) => {
  answerList(backend, listDashboards, [aDashboard()], getDashboard)
  const note = 'Left out, because it no longer exists: dashboard 6.'
  const changes = { powerbi_dashboards: { before: [5, 6], after: [] } }
  answerEvents(backend, [anEvent({ entity: 'workspace', entity_id: 1, record: BALTIC, changes })])
  backend.answer(previewPutBack, {
    ...{ entity: 'workspace', entity_id: 1, version: 2 },
    fields: [{ field: 'powerbi_dashboards', current: [], earlier: [5], note, problem: null }],
  })
  await open('/workspaces/1?history=true')
  await openEvent(page, 'changed the')
  await page.getByRole('button', { name: /^Put back .*dashboards/i }).click()
  await expect(preview(page)).toContainText('Reach')
  await expect(preview(page)).toContainText(note)
  await button(page, 'Cancel').click()

  const problem = 'The workspace Vistula is deleted. Restore it first.'
  answerChanged(backend)
  backend.answer(previewPutBack, {
    ...{ entity: 'user', entity_id: 10, version: 2 },
    fields: [
      { field: 'workspace_id', current: 1, earlier: 2, note: null, problem },
      { field: 'type', current: 'MODERATOR', earlier: 'STANDARD', ...earlier },
      { field: 'language', current: 'UK', earlier: '', ...earlier },
    ],
  })
  await open(ADDRESS)
  await openEvent(page, 'created')
  await button(page, 'After this change').click()
  const ask = dialog(page, /^Put everything back/)
  await expect(preview(page)).toContainText(problem)
  await expect(ask.getByRole('checkbox', { name: 'Workspace' })).toBeDisabled()
  await expect(ask.getByRole('checkbox', { name: 'Workspace' })).not.toBeChecked()
  await expect(ask.getByRole('checkbox', { name: 'Type' })).toBeChecked()
  await expectAccessible(page)
  await ask.getByRole('checkbox', { name: 'Language' }).uncheck()
  await button(ask, 'Put back').click()
  await expectToast(page, 'Type put back.')
  expect(backend.calls(putBack).map(({ body }) => body)).toEqual([{ side: 'after', fields: ['type'] }])
})

test('if somebody saves while the preview is open, it shows the new values first; a deleted user is restored first', async ({
  page,
  backend,
  open,
}) => {
  const user = answerChanged(backend)
  await open(ADDRESS)
  await openEvent(page, 'changed the type')
  await button(page, 'Put back Type').click()
  await expect(preview(page).getByRole('row').last()).toHaveText('TypeMODERATORSTANDARD')
  Object.assign(user, { type: 'UNDERPRIVILEGED', version: 3 })
  await button(page, 'Put back').click()
  await expect(page.getByRole('alert')).toContainText('changed by Vera Bondar today at')
  await expect(page.getByRole('alert')).toContainText('Check them again.')
  await expect(preview(page).getByRole('row').last()).toHaveText('TypeUNDERPRIVILEGEDSTANDARD')
  await button(page, 'Put back').click()
  await expectToast(page, 'Type put back.')
  expect(user.type).toBe('STANDARD')

  backend.refuse(previewPutBack, 409, 'This user is deleted. Restore it first.')
  await button(page, 'Put back Type').first().click()
  await expect(page.getByRole('alert').last()).toHaveText('This user is deleted. Restore it first.')
  await expect(page.getByRole('link', { name: 'Open the bin' })).toHaveAttribute('href', '/bin')
})

test('a deactivation that is put back shows who loses access; a workspace admin only reads this history', async ({
  page,
  backend,
  open,
}) => {
  const changes = { status: { before: 'DEACTIVATED', after: null } }
  answerEvents(backend, [anEvent({ entity: 'workspace', entity_id: 1, record: BALTIC, changes })])
  backend.answer(previewPutBack, {
    ...{ entity: 'workspace', entity_id: 1, version: 2 },
    fields: [{ field: 'status', current: null, earlier: 'DEACTIVATED', ...earlier }],
  })
  const admin_names = ['Vera Moroz']
  backend.answer(workspaceImpact, { users: 1, admins: 1, admin_names, dashboards: 0, last_activity_at: null })
  await open('/workspaces/1?history=true')
  await openEvent(page, 'status')
  await button(page, 'Put back Status').click()
  const ask = dialog(page, 'Put back Status?')
  await expect(ask).toContainText('This deactivates the workspace')
  await expect(ask).toContainText('Admins who lose accessVera Moroz')

  backend.answer(currentUser, { ...ME, is_super_admin: false, is_admin: true })
  await open('/workspaces/1?history=true')
  await openEvent(page, 'status')
  await expect(panel(page).getByRole('rowheader', { name: 'Status' })).toBeVisible()
  await expect(panel(page).getByRole('button', { name: /this change|Put back/ })).toHaveCount(0)
})

test('the history works with the keyboard, and Escape closes only what is on top', async ({ page, backend, open }) => {
  answerChanged(backend)
  await open('/users')
  // An earlier dialog must not get the key first.
  await button(page, 'Delete Iryna Shevchuk').click()
  await button(page, 'Cancel').click()
  await page.getByRole('link', { name: 'Edit Iryna Shevchuk' }).click()
  await historyLink(page).focus()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toBeVisible()
  const focused = page.locator(':focus')
  async function tabTo(name: RegExp) {
    for (let presses = 0; presses < 10; presses++) {
      await page.keyboard.press('Tab')
      if (name.test((await focused.getAttribute('aria-label')) ?? (await focused.textContent()) ?? '')) return
    }
    throw new Error(`Tab does not reach ${name}`)
  }
  await tabTo(/^Details: .*changed the type/)
  await page.keyboard.press('Enter')
  await expect(button(page, 'Put back Type')).toBeVisible()
  await tabTo(/^Put back Type/)
  await page.keyboard.press('Enter')
  await expect(button(page, 'Cancel')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Put back Type?')).toHaveCount(0)
  await expect(button(page, 'Put back Type')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Cancel')).toBeFocused()
  await expect(button(page, 'Put back')).toBeEnabled()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Type put back.')
  await expect(dialog(page, 'Put back Type?')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(page).toHaveURL('/users/10/edit')
  await expect(historyLink(page)).toBeFocused()
  await expect(select(page, 'Type')).toHaveValue('STANDARD')
})

test('Back closes the history, and a form with unsaved changes stays as it is', async ({ page, backend, open }) => {
  answerEvents(backend, [anEvent({ entity: 'workspace', entity_id: 1, action: 'create', changes: {} })])
  await open('/workspaces/1')
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await field(page, 'Description').fill('Not saved yet')
  await historyLink(page).click()
  await openEvent(page, 'create')
  await panel(page).getByRole('link', { name: 'All its activity' }).click()
  await expect(dialog(page, 'Leave without saving?')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Leave without saving?')).toHaveCount(0)
  await expect(panel(page)).toBeVisible()
  await page.goBack()
  await expect(panel(page)).toHaveCount(0)
  await expect(page).toHaveURL('/workspaces/1/edit')
  await expect(field(page, 'Description')).toHaveValue('Not saved yet')
  await historyLink(page).click()
  await button(page, 'Close history').click()
  await expect(panel(page)).toHaveCount(0)
  await expect(field(page, 'Description')).toHaveValue('Not saved yet')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  // Closing it has left no extra entry behind.
  await page.goBack()
  await expect(dialog(page, 'Leave without saving?')).toBeVisible()
})
