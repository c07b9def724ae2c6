import type { Page } from '@playwright/test'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expectAccessible } from './accessible.ts'
import { expect } from './test.ts'
import {
  button,
  choose,
  dialog,
  expectError,
  heading,
  type Make,
  row,
  rows,
  test,
  toast,
  unique,
} from './workspaces-page.ts'

type Api = <Result>(method: string, path: string, data?: object) => Promise<Result>

const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const all = (page: Page) => page.getByRole('checkbox', { name: 'Select all on this page' })
const action = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })
const quota = (page: Page, name: string) => dialog(page).getByRole('group', { name })

async function makeWorkspaces(make: Make, each: object[]) {
  const word = unique('Fleet')
  const made: Workspace[] = []
  for (const [index, fields] of each.entries()) made.push(await make.workspace({ name: `${word} ${index}`, ...fields }))
  return { word, made }
}

/** Opens the list of the workspaces of a test, with all of them selected. */
async function selectAll(page: Page, word: string, count: number) {
  await page.goto(`/workspaces?search=${word}`)
  await expect(rows(page)).toHaveCount(count)
  await all(page).check()
  await expect(bar(page)).toContainText(`${count} selected`)
}

const read = (api: Api, { id }: Pick<Workspace, 'id'>) => api<Workspace>('GET', `workspaces/${id}`)
const TRIAL = { status: 'TRIAL', trial_end_date: '2031-01-20T00:00:00' }

test('trials are extended by a number of days, and what is not a trial is left out', async ({ page, api, make }) => {
  const { word, made } = await makeWorkspaces(make, [TRIAL, {}])
  const [trial] = made
  await selectAll(page, word, 2)
  await action(page, 'Extend trial').click()
  const days = dialog(page).getByRole('textbox', { name: 'Days' })
  await expect(days).toHaveValue('14')
  await days.fill('0')
  await button(page, 'Preview').click()
  await expect(days).toHaveAccessibleDescription(/Enter a number of days, from 1 to 3,650/)
  await days.fill('14')
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('1 workspace will get 14 more days of trial.')
  await expect(dialog(page)).toContainText('Trial end date: Jan 20, 2031 → Feb 3, 2031')
  await expect(dialog(page).getByRole('region', { name: 'Left out' })).toContainText(`${word} 1It is not a trial.`)
  await expectAccessible(page)
  await button(page, 'Extend 1 workspace').click()
  await expect(toast(page)).toContainText('Extended the trial of 1 workspace by 14 days. 1 left out.')
  expect((await read(api, trial as Workspace)).trial_end_date).toBe('2031-02-03T00:00:00')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).last()).toContainText('Undone: gave 1 workspace its former values back.')
  expect((await read(api, trial as Workspace)).trial_end_date).toBe(TRIAL.trial_end_date)
})

test('deactivating says what it does, before and in the preview', async ({ page, api, make }) => {
  const { word, made } = await makeWorkspaces(make, [{}, {}])
  await make.user(made[0]?.id ?? 0)
  const me = await api<{ workspace: { id: number; name: string } }>('GET', 'users/me')
  await selectAll(page, word, 2)
  await page.getByRole('searchbox').fill(me.workspace.name)
  await page.getByRole('checkbox', { name: `Select ${me.workspace.name}`, exact: true }).check()
  await action(page, 'Status').click()
  await button(page, 'Preview').click()
  await expect(dialog(page).getByRole('combobox', { name: 'Status' })).toHaveAccessibleDescription('Choose a status.')
  await choose(page, 'Status', 'DEACTIVATED')
  await expect(dialog(page)).toContainText('Their users are signed out at once and cannot sign in. Nothing is deleted')
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('2 workspaces will be deactivated.')
  await expect(dialog(page)).toContainText('1 user cannot sign in until the workspace is active again.')
  await expect(dialog(page).getByRole('region', { name: 'Left out' })).toContainText(
    'You cannot deactivate your own workspace.',
  )
  await button(page, 'Change 2 workspaces').click()
  await expect(toast(page)).toContainText('Set the status of 2 workspaces to DEACTIVATED. 1 left out.')
  for (const workspace of made) expect((await read(api, workspace)).status).toBe('DEACTIVATED')
  await page.goto('/activity')
  await expect(page.getByRole('main').getByRole('listitem').first()).toContainText(
    'changed the status of 2 workspaces to DEACTIVATED',
  )
})

test('quotas are set, topped up and filled', async ({ page, api, make }) => {
  const { word, made } = await makeWorkspaces(make, [{}, {}])
  await selectAll(page, word, 2)
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
  await expectAccessible(page)
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('2 workspaces will have their analytical quota and AI quota changed.')
  await expect(dialog(page)).toContainText('AI quota balance: 250 → 300')
  await button(page, 'Change 2 workspaces').click()
  await expect(toast(page)).toContainText('Changed the analytical quota and AI quota of 2 workspaces.')
  for (const workspace of made) {
    const { analytical_quota, ai_quota } = await read(api, workspace)
    expect([analytical_quota, ai_quota]).toMatchObject([
      { limit: 2000, balance: 2000 },
      { limit: 1000, balance: 300 },
    ])
  }
})

test('roles and dashboards are added and removed', async ({ page, api, make }) => {
  const dashboard = await make.dashboard()
  const { word, made } = await makeWorkspaces(make, [{}, {}])
  await selectAll(page, word, 2)
  await action(page, 'Dashboards').click()
  await button(page, 'Preview').click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Choose what to add or remove.')
  await choose(page, 'Add dashboards', dashboard.name)
  await page.keyboard.press('Tab')
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('2 workspaces will show other dashboards.')
  await expect(dialog(page)).toContainText(dashboard.name)
  await button(page, 'Change 2 workspaces').click()
  await expect(toast(page)).toContainText('Changed the dashboards of 2 workspaces.')
  for (const workspace of made) expect((await read(api, workspace)).config.powerbi_dashboards).toContain(dashboard.id)

  await selectAll(page, word, 2)
  await action(page, 'Roles and flags').click()
  await dialog(page).getByRole('combobox', { name: 'Add feature flags' }).click()
  const option = page.getByRole('option').first()
  const name = (await option.textContent()) ?? ''
  await option.click()
  await page.keyboard.press('Tab')
  await button(page, 'Preview').click()
  await expect(dialog(page)).toContainText('2 workspaces will have their feature flags changed.')
  await button(page, 'Change 2 workspaces').click()
  await expect(toast(page)).toContainText('Changed the feature flags of 2 workspaces.')
  for (const workspace of made) expect((await read(api, workspace)).config.featureflags).toContain(name)
})

test('deleting says who loses access, and is undone as a whole', async ({ page, api, make }) => {
  const { word, made } = await makeWorkspaces(make, [{}, {}])
  for (const { id } of made) await make.user(id)
  await selectAll(page, word, 2)
  await action(page, 'Delete').click()
  await expect(dialog(page)).toHaveAccessibleName('Delete workspaces?')
  await expect(dialog(page)).toContainText(
    '2 workspaces will be deleted with all their users, who lose access immediately.',
  )
  await expect(dialog(page)).toContainText('2 users will be deleted with them.')
  await button(page, 'Delete 2 workspaces').click()
  await expect(toast(page)).toContainText('Deleted 2 workspaces.')
  await expect(page.getByRole('main')).toContainText('No workspaces match.')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).last()).toContainText('Undone: restored 2 workspaces with their users.')
  await expect(rows(page)).toHaveCount(2)
  const ids = made.map(({ id }) => id).join(',')
  expect(await api('GET', `users/?workspace_ids=${ids}`)).toMatchObject({ total: 2 })
})

test('a dialog is closed by Back to another page', async ({ page, make }) => {
  const { name } = await make.workspace(TRIAL)
  const openers = [action(page, 'Extend trial'), action(page, 'Status'), button(page, `Delete ${name}`)]
  for (const opener of openers) {
    await page.goto('/overview')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workspaces' }).click()
    await page.getByRole('searchbox').fill(name)
    await expect(page).toHaveURL(/search=/)
    await row(page, name).getByRole('checkbox').check()
    await opener.click()
    await expect(dialog(page)).toBeVisible()
    await page.goBack()
    await expect(heading(page)).toHaveText('Overview')
    await expect(dialog(page)).toHaveCount(0)
    await expect(heading(page)).toBeFocused()
  }
})

test('a comma moves the focus from the rows to their actions, and Escape back', async ({ page, make }) => {
  const { word } = await makeWorkspaces(make, [{}, {}])
  await page.goto(`/workspaces?search=${word}`)
  const box = page.getByRole('checkbox', { name: `Select ${word} 0` })
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

test('a call without a response is explained, until something is changed', async ({ page, make, faults }) => {
  faults.allow(/Failed to load resource/)
  const { word } = await makeWorkspaces(make, [TRIAL])
  await selectAll(page, word, 1)
  await action(page, 'Extend trial').click()
  await page.route('**/api/v1/workspaces/change/preview', (route) => route.abort())
  await button(page, 'Preview').click()
  const alert = dialog(page).getByRole('alert')
  await expect(alert).toContainText('The server cannot be reached. Check your connection and try again.')
  await dialog(page).getByRole('textbox', { name: 'Days' }).fill('7')
  await expect(alert).toHaveCount(0)
})

test('on a phone the actions are in a menu, and their dialogs fit', async ({ page, make }) => {
  const { word } = await makeWorkspaces(make, [TRIAL])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/workspaces?search=${word}`)
  await page.getByRole('checkbox', { name: `Select ${word} 0` }).check()
  for (const name of ['Status', 'Extend trial', 'Quotas', 'Roles and flags', 'Dashboards', 'Delete']) {
    await button(page, 'Actions').click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await expect(dialog(page)).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await button(page, 'Cancel').click()
    await expect(dialog(page)).toHaveCount(0)
    await expect(button(page, 'Actions')).toBeFocused()
  }
})
