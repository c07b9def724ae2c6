import type { Workspace } from '@watchdesk/contract/workspaces'
import { expectAccessible } from './accessible.ts'
import { expect } from './test.ts'
import { action, button, choose, dialog, type Make, rows, selectAll, test, toast, unique } from './workspaces-page.ts'

type Api = <Result>(method: string, path: string, data?: object) => Promise<Result>

async function makeWorkspaces(make: Make, each: object[]) {
  const word = unique('Fleet')
  const made: Workspace[] = []
  for (const [index, fields] of each.entries()) made.push(await make.workspace({ name: `${word} ${index}`, ...fields }))
  return { word, made }
}

const read = (api: Api, { id }: Pick<Workspace, 'id'>) => api<Workspace>('GET', `workspaces/${id}`)
const TRIAL = { status: 'TRIAL', trial_end_date: '2031-01-20T00:00:00' }

test('trials are extended by a number of days, and what is not a trial is left out', async ({ page, api, make }) => {
  const { word, made } = await makeWorkspaces(make, [TRIAL, {}])
  const [trial] = made
  await page.goto(`/workspaces?search=${word}`)
  await selectAll(page, 2)
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
  await page.goto(`/workspaces?search=${word}`)
  await selectAll(page, 2)
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

test('deleting says who loses access, and is undone as a whole', async ({ page, api, make }) => {
  const { word, made } = await makeWorkspaces(make, [{}, {}])
  for (const { id } of made) await make.user(id)
  await page.goto(`/workspaces?search=${word}`)
  await selectAll(page, 2)
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
