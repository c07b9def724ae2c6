import type { Page } from '@playwright/test'
import { listDashboards } from '@watchdesk/contract/dashboards'
import {
  type BulkPreview,
  changeWorkspaces,
  previewWorkspacesChange,
  type WorkspacesChange,
} from '@watchdesk/contract/operations/changes'
import { getOperation } from '@watchdesk/contract/operations/operations'
import { anImport } from '../imports-page.ts'
import { action, bar, button, choose, dialog, expectError, heading, row, selectAll, toast } from '../workspaces-page.ts'
import type { Backend } from './backend.ts'
import { aDashboard, aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

const TRIAL = { status: 'TRIAL', trial_end_date: '2031-01-20T00:00:00' } as const
const ATLAS = aWorkspace({ id: 1, name: 'Fleet 0', ...TRIAL })
const VISTULA = aWorkspace({ id: 2, name: 'Fleet 1' })

const quota = (page: Page, name: string) => dialog(page).getByRole('group', { name })

/** Both workspaces get the changes, and the server says so. */
function changeBoth(backend: Backend, changes: BulkPreview['changed'][number]['changes'], summary = '') {
  backend.answer(previewWorkspacesChange, {
    ...{ count: 2, changed_count: 2, unchanged_count: 0, refused_count: 0, checksum: 'b1946', refused: [], notes: [] },
    changed_fields: Object.keys(changes),
    changed: [ATLAS, VISTULA].map(({ id, name }) => ({ id, name, changes })),
  })
  backend.answer(changeWorkspaces, { changed_count: 2, refused_count: 0, import_id: 9, job_id: null })
  backend.answer(getOperation, anImport({ id: 9, kind: 'workspaces_change', summary }))
}

/** The preview and the change itself are of the same. */
function expectChange(backend: Backend, set: WorkspacesChange['set']) {
  const change = { action: 'update', set, ids: [1, 2] }
  expect(backend.calls(previewWorkspacesChange).at(-1)?.body).toEqual(change)
  expect(backend.calls(changeWorkspaces).at(-1)?.body).toMatchObject(change)
}

test.beforeEach(({ backend }) => {
  keepWorkspaces(backend, ATLAS, VISTULA)
})

test('quotas are set, topped up and filled', async ({ page, backend, open }) => {
  const [before, after] = [
    { limit: 1000, balance: 250 },
    { limit: 1000, balance: 300 },
  ]
  changeBoth(backend, { ai_quota: { before, after } }, 'Changed the analytical quota and AI quota of 2 workspaces')
  await open('/workspaces')
  await selectAll(page, 2)
  await action(page, 'Quotas').click()
  await expect(quota(page, 'Analytical quota').getByRole('textbox', { name: 'New limit' })).toBeFocused()
  await button(page, 'Preview').click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Choose what to change.')
  await quota(page, 'Analytical quota').getByRole('textbox', { name: 'New limit' }).fill('2000')
  await quota(page, 'Analytical quota').getByRole('combobox', { name: 'Balance' }).click()
  await page.getByRole('option', { name: 'Fill up to the limit' }).click()
  await quota(page, 'AI quota').getByRole('combobox', { name: 'Balance' }).click()
  await page.getByRole('option', { name: 'Top up by' }).click()
  await button(page, 'Preview').click()
  const amount = quota(page, 'AI quota').getByRole('textbox', { name: 'Amount to add' })
  await expectError(amount, 'Enter the amount to add.')
  await expect(amount).toBeFocused()
  await amount.fill('50')
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('2 workspaces will have their analytical quota and AI quota changed.')
  await expect(dialog(page)).toContainText('AI quota balance: 250 → 300')
  await button(page, 'Change 2 workspaces').click()
  await expect(toast(page)).toContainText('Changed the analytical quota and AI quota of 2 workspaces.')
  expectChange(backend, { analytical_quota: { limit: 2000, fill: true }, ai_quota: { top_up: 50 } })
})

test('roles and dashboards are added and removed', async ({ page, backend, open }) => {
  answerList(backend, listDashboards, [aDashboard()])
  changeBoth(backend, { powerbi_dashboards: { before: [], after: [5] } }, 'Changed the dashboards of 2 workspaces')
  await open('/workspaces')
  await selectAll(page, 2)
  await action(page, 'Dashboards').click()
  await button(page, 'Preview').click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Choose what to add or remove.')
  await choose(page, 'Add dashboards', 'Reach')
  await page.keyboard.press('Tab')
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('2 workspaces will show other dashboards.')
  await expect(dialog(page)).toContainText('Reach')
  await button(page, 'Change 2 workspaces').click()
  await expect(toast(page)).toContainText('Changed the dashboards of 2 workspaces.')
  expectChange(backend, { powerbi_dashboards: { add: [5] } })

  changeBoth(backend, { featureflags: { before: [], after: ['exports'] } })
  await open('/workspaces')
  await selectAll(page, 2)
  await action(page, 'Roles and flags').click()
  await choose(page, 'Add feature flags', 'exports')
  await page.keyboard.press('Tab')
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('2 workspaces will have their feature flags changed.')
  const { body } = backend.calls(previewWorkspacesChange).at(-1) ?? {}
  expect(body).toMatchObject({ set: { featureflags: { add: ['exports'] } } })
})

test('a dialog is closed by Back to another page', async ({ page, open }) => {
  for (const opener of [action(page, 'Status'), button(page, 'Delete Fleet 0')]) {
    await open('/activity')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workspaces' }).click()
    await expect(heading(page)).toHaveText('Workspaces')
    await row(page, 'Fleet 0').getByRole('checkbox').check()
    await opener.click()
    await expect(dialog(page)).toBeVisible()
    await page.goBack()
    await expect(heading(page)).toHaveText('Activity')
    await expect(dialog(page)).toHaveCount(0)
    await expect(heading(page)).toBeFocused()
  }
})

test('a comma moves the focus from the rows to their actions, and Escape back', async ({ page, open }) => {
  await open('/workspaces')
  const box = page.getByRole('checkbox', { name: 'Select Fleet 0' })
  await box.focus()
  await page.keyboard.press(',')
  await expect(box).toBeFocused()
  await page.keyboard.press('Space')
  await expect(bar(page)).toContainText('1 selected')
  await expect(bar(page).getByText('Press comma for actions')).toBeVisible()
  await page.keyboard.press(',')
  await expect(bar(page).getByRole('button').first()).toBeFocused()
  await expect(bar(page).getByText('Press Escape to return')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(box).toBeFocused()
  await button(page, 'Clear selection').click()
  await expect(heading(page)).toBeFocused()
})

test('a call without a response is explained, until something is changed; what is not a trial is left out', async ({
  page,
  backend,
  open,
}) => {
  backend.cutOff(previewWorkspacesChange)
  await open('/workspaces')
  await selectAll(page, 2)
  await action(page, 'Extend trial').click()
  const days = dialog(page).getByRole('textbox', { name: 'Days' })
  await expect(days).toHaveValue('14')
  await days.fill('0')
  await button(page, 'Preview').click()
  await expect(days).toHaveAccessibleDescription(/Enter a number of days, from 1 to 3,650/)
  await days.fill('14')
  await button(page, 'Preview').click()
  const alert = dialog(page).getByRole('alert')
  await expect(alert).toContainText('The server cannot be reached. Check your connection and try again.')
  await days.fill('7')
  await expect(alert).toHaveCount(0)
  const trial_end_date = { before: TRIAL.trial_end_date, after: '2031-01-27T00:00:00' }
  backend.answer(previewWorkspacesChange, {
    ...{ count: 2, changed_count: 1, unchanged_count: 0, refused_count: 1, checksum: 'b1946', notes: [] },
    changed_fields: ['trial_end_date'],
    changed: [{ id: 1, name: 'Fleet 0', changes: { trial_end_date } }],
    refused: [{ reason: 'It is not a trial.', count: 1, examples: [{ id: 2, name: 'Fleet 1' }] }],
  })
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('1 workspace will get 7 more days of trial.')
  await expect(dialog(page)).toContainText('Trial end date: Jan 20, 2031 → Jan 27, 2031')
  await expect(dialog(page).getByRole('region', { name: 'Left out' })).toContainText('Fleet 1It is not a trial.')
})

test('on a phone the actions are in a menu', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/workspaces')
  await page.getByRole('checkbox', { name: 'Select Fleet 0' }).check()
  await button(page, 'Actions').click()
  await page.getByRole('menuitem', { name: 'Quotas', exact: true }).click()
  await expect(dialog(page)).toBeVisible()
  await button(page, 'Cancel').click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(button(page, 'Actions')).toBeFocused()
})
