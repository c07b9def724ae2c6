import type { Page, Route } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { section, signInElsewhere, statusOf } from './account-page.ts'
import { PASSWORD, seed, unique } from './seed.ts'
import { account, makeSignInsOld, signInAgain as question, REFUSED, storedToken } from './session-page.ts'
import { expect, storeToken, test } from './test.ts'
import { button, field, toast } from './users-page.ts'
import type { Watchdesk } from './watchdesk.ts'

const isAlive = async (page: Page, token: string) => (await statusOf(page, token)) === 200

/** A record in the bin, about to be deleted for good by someone who signed in an hour ago. */
async function deleteForGood(page: Page, watchdesk: Watchdesk) {
  const { workspace, token } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Dangerous'))
  const headers = { authorization: `Bearer ${token}` }
  await page.request.delete(`/api/v1/workspaces/${id}`, { headers })
  await makeSignInsOld(watchdesk)
  await page.goto(`/bin?search=${name}`)
  await page.getByRole('button', { name: `Delete ${name} for good` }).click()
  const dialog = page.getByRole('dialog', { name: `Delete ${name} for good?` })
  await dialog.getByRole('textbox').fill(name)
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  return { name, token, dialog }
}

test('a dangerous action asks to sign in again, and is done after that with a new session', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { name, token } = await deleteForGood(page, watchdesk)
  await expect(question(page)).toContainText('To do this, confirm that it is you.')
  await expectAccessible(page)
  const field = question(page).getByLabel('Password', { exact: true })
  await expect(field).toBeFocused()
  await field.fill('wrong')
  await page.keyboard.press('Enter')
  await expect(question(page).getByRole('alert')).toBeVisible()
  expect(await isAlive(page, token)).toBe(true)
  await field.fill(watchdesk.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${name} deleted for good.`)).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  expect(await storedToken(page)).not.toBe(token)
  await expect.poll(() => isAlive(page, token)).toBe(false)
})

test('cancelling does nothing and loses nothing, and the action can be tried again', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { name, token, dialog } = await deleteForGood(page, watchdesk)
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(question(page)).toHaveCount(0)
  await expect(page.getByText(/Sign in again to do this/)).toBeVisible()
  await expect(dialog.getByRole('textbox')).toHaveValue(name)
  expect(await storedToken(page)).toBe(token)
  expect(await isAlive(page, token)).toBe(true)

  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(question(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('textbox')).toBeFocused()
})

test('someone who got another role is offered what it can do after signing in again, without a reload', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { workspace, user, patchUser } = await seed(page, watchdesk)
  const { id: workspace_id } = await workspace(unique('Promoted'))
  const { id, email } = await user(workspace_id, { is_auditor: true })
  await storeToken(page, watchdesk.url, await signInElsewhere(page, { email, password: PASSWORD }))
  await page.goto('/workspaces')
  await expect(button(page, 'Columns')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create' })).toHaveCount(0)
  await patchUser(id, { is_auditor: false, is_super_admin: true })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users', exact: true }).click()
  await expect(question(page)).toContainText('Your session has ended.')
  await question(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Create' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Select Iryna' }).first()).toBeVisible()
})

test('calls that wait share one dialog: each ends with a message or is repeated once, and nothing typed is lost', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { workspace, user } = await seed(page, watchdesk)
  const { id: workspace_id } = await workspace(unique('Waiting'))
  const { id } = await user(workspace_id, { is_super_admin: true })
  const email = `${unique('moved')}@example.com`
  await page.goto(`/users/${id}/edit`)
  await field(page, 'Email').fill(email)
  await makeSignInsOld(watchdesk)
  const statuses = await sendInPairs(page, id)
  await saveAndCreateLink()
  await expect(question(page)).toHaveCount(1)
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(question(page)).toHaveCount(0)
  // Both end with the same message; the second replaces the first.
  await expect(toast(page)).toHaveCount(1)
  await expect(toast(page)).toContainText('Sign in again to do this')
  await expect(field(page, 'Email')).toHaveValue(email)
  expect(statuses).toEqual({ PATCH: [401], POST: [401] })

  await watchdesk.session.end()
  await saveAndCreateLink()
  await expect(question(page)).toContainText('Your session has ended.')
  await expect(question(page)).toHaveCount(1)
  await question(page).getByLabel('Password', { exact: true }).fill(watchdesk.password)
  await page.keyboard.press('Enter')
  await expect.poll(() => statuses).toEqual({ PATCH: [401, 401, 200], POST: [401, 401, 200] })

  async function saveAndCreateLink() {
    await button(page, 'Save').click()
    await section(page, 'Access').getByRole('button', { name: 'Create a password link' }).click()
  }
})

test('what waits is not done for another user, who signed in in another tab meanwhile', async ({
  page,
  context,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { workspace, user } = await seed(page, watchdesk)
  const { id: workspace_id } = await workspace(unique('Shared'))
  const { email, last_name } = await user(workspace_id, { is_super_admin: true })
  const theirs = await signInElsewhere(page, { email, password: PASSWORD })
  const { name } = await deleteForGood(page, watchdesk)
  await expect(question(page)).toBeVisible()
  const calls: string[] = []
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()))
  await storeToken(await context.newPage(), watchdesk.url, theirs)
  await expect(page.getByRole('button', { name: `Iryna ${last_name}`, exact: true })).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  expect(calls).toEqual([])
  await page.goto(`/bin?search=${name}`)
  await expect(page.getByRole('button', { name: `Delete ${name} for good` })).toBeVisible()
})

/** Unsaved changes of a user, while another super admin signs in in another tab. */
async function typeAndSignInElsewhere(page: Page, watchdesk: Watchdesk) {
  const { workspace, user } = await seed(page, watchdesk)
  const { id: workspace_id } = await workspace(unique('Shared'))
  const { id } = await user(workspace_id)
  const { email, last_name } = await user(workspace_id, { is_super_admin: true })
  const theirs = await signInElsewhere(page, { email, password: PASSWORD })
  await page.goto(`/users/${id}/edit`)
  await expect(account(page)).toBeVisible()
  await field(page, 'Last name').click()
  await page.keyboard.type('Half typed')
  const changes: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()))
  page.on('dialog', (asked) => {
    expect.soft(asked.type(), 'the browser asks whether to leave').toBe('')
    return asked.dismiss()
  })
  const other = page.getByRole('button', { name: `Iryna ${last_name}`, exact: true })
  return { id, theirs, changes, other }
}

/** The next call to this path, which waits until it is continued. Later ones do not wait. */
function hold(page: Page, path: string) {
  let calls = 0
  return new Promise<Route>((resolve, reject) => {
    page
      .route(`**/api/v1/${path}`, (route) => {
        calls += 1
        return calls === 1 ? resolve(route) : route.continue()
      })
      .catch(reject)
  })
}

test('unsaved changes are not saved for another user, who signed in in another tab', async ({
  page,
  context,
  watchdesk,
}) => {
  const { theirs, changes, other } = await typeAndSignInElsewhere(page, watchdesk)
  const check = hold(page, 'users/me')
  await storeToken(await context.newPage(), watchdesk.url, theirs)
  const held = await check
  await button(page, 'Save').click()
  await expect(button(page, 'Save')).toHaveCount(0)
  await held.continue()
  await expect(other).toBeVisible()
  await expect(page).toHaveURL('/users')
  expect(changes).toEqual([])
})

test('the page starts again when it is unknown who signed in in another tab', async ({
  page,
  context,
  watchdesk,
  faults,
}) => {
  faults.allow(/ERR_FAILED/)
  const { theirs, changes, other } = await typeAndSignInElsewhere(page, watchdesk)
  const check = hold(page, 'users/me')
  await storeToken(await context.newPage(), watchdesk.url, theirs)
  await (await check).abort()
  await expect(other).toBeVisible()
  await expect(page).toHaveURL('/users')
  expect(changes).toEqual([])
})

test('a call that is rejected after another user signed in in another tab is not repeated', async ({
  page,
  context,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const { id, theirs, changes, other } = await typeAndSignInElsewhere(page, watchdesk)
  const saving = hold(page, `users/${id}`)
  await button(page, 'Save').click()
  const save = await saving
  const check = hold(page, 'users/me')
  await storeToken(await context.newPage(), watchdesk.url, theirs)
  const held = await check
  const rejected = page.waitForResponse((response) => response.status() === 401)
  await save.fulfill({ status: 401, json: { detail: 'Sign in again.' } })
  await rejected
  await held.continue()
  await expect(other).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  expect(changes).toHaveLength(1)
})

/** Lets two changes of a user through at once, so that both wait. Returns their statuses. */
async function sendInPairs(page: Page, id: number) {
  const statuses: Record<string, number[]> = { PATCH: [], POST: [] }
  const held: Route[] = []
  const path = new RegExp(`/api/v1/users/${id}(/\\w+)?$`)
  await page.route(path, async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    held.push(route)
    if (held.length === 2) await Promise.all(held.splice(0).map((each) => each.continue()))
  })
  page.on('response', (response) => {
    if (path.test(response.url())) statuses[response.request().method()]?.push(response.status())
  })
  return statuses
}
