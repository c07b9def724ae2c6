import type { Page } from '@playwright/test'
import { currentUser, login, logout } from '@watchdesk/contract/auth/session'
import { listBin, removeFromBin } from '@watchdesk/contract/bin'
import { inviteUser, listUsers, updateUser } from '@watchdesk/contract/users'
import { section } from '../account-page.ts'
import { signInAgain as question, storedToken } from '../session-page.ts'
import { button, field, toast } from '../users-page.ts'
import { CONFIRM } from './account.ts'
import { type Backend, type Call, Refusal } from './backend.ts'
import { aBinRecord, aUser, ME } from './records.ts'
import { answerList, expect, test } from './test.ts'
import { answerUsers } from './users.ts'

const USER = aUser({ is_super_admin: true })
const OTHER = aUser({ id: 11, first_name: 'Vera', last_name: 'Moroz', is_super_admin: true })
const ENDED = new Refusal(401, 'Your session has ended. Sign in again.')
const DELETED = aBinRecord({ kind: 'workspace', id: 4, name: 'Dangerous', detail: null, workspace: null })

const isTheirs = ({ headers }: Call) => headers.authorization === 'Bearer theirs'

test.beforeEach(({ backend }) => {
  backend.answer(currentUser, (call) => (isTheirs(call) ? OTHER : ME))
  backend.answer(logout, undefined)
  answerUsers(backend, [USER])
})

test('cancelling does nothing and loses nothing, and the action can be tried again', async ({
  page,
  backend,
  open,
  token,
}) => {
  answerList(backend, listBin, [DELETED])
  backend.answer(removeFromBin, () => CONFIRM)
  await open('/bin')
  await button(page, 'Delete Dangerous for good').click()
  const dialog = page.getByRole('dialog', { name: 'Delete Dangerous for good?' })
  await dialog.getByRole('textbox').fill('Dangerous')
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(question(page)).toHaveCount(0)
  await expect(page.getByText(/Sign in again to do this/)).toBeVisible()
  await expect(dialog.getByRole('textbox')).toHaveValue('Dangerous')
  expect([backend.calls(logout), await storedToken(page)]).toEqual([[], token])

  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(question(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('textbox')).toBeFocused()
})

test('calls that wait share one dialog: each ends with a message or is repeated once, and nothing typed is lost', async ({
  page,
  backend,
  open,
}) => {
  let refusal = CONFIRM
  const isNew = ({ headers }: Call) => headers.authorization === 'Bearer new'
  const link = 'https://desk.example/set_password#a'
  backend.answer(updateUser, (call) => (isNew(call) ? { ...USER, version: 2 } : refusal))
  backend.answer(inviteUser, (call) =>
    isNew(call) ? { link, sent_to: null, expires_at: '2026-11-19T01:00:00.000Z' } : refusal,
  )
  backend.answer(login, { access_token: 'new' })
  const sent = () => [backend.calls(updateUser).length, backend.calls(inviteUser).length]
  await open('/users/10/edit')
  await field(page, 'Email').fill('moved@example.com')
  await saveAndCreateLink([1, 1])
  await expect(question(page)).toHaveCount(1)
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(question(page)).toHaveCount(0)
  // Both end with the same message; the second replaces the first.
  await expect(toast(page)).toHaveCount(1)
  await expect(toast(page)).toContainText('Sign in again to do this')
  await expect(field(page, 'Email')).toHaveValue('moved@example.com')
  expect(sent()).toEqual([1, 1])

  refusal = ENDED
  await saveAndCreateLink([2, 2])
  await expect(question(page)).toContainText('Your session has ended.')
  await expect(question(page)).toHaveCount(1)
  await question(page).getByLabel('Password', { exact: true }).fill('quiet river stone')
  await page.keyboard.press('Enter')
  await expect.poll(sent).toEqual([3, 3])
  await expect(page.getByText(link)).toBeVisible()
  expect(sent()).toEqual([3, 3])

  /** Both are refused at once, so that both wait. */
  async function saveAndCreateLink(count: number[]) {
    const releases = [backend.hold(updateUser), backend.hold(inviteUser)]
    await button(page, 'Save').click()
    await section(page, 'Access').getByRole('button', { name: 'Create a password link' }).click()
    await expect.poll(sent).toEqual(count)
    for (const release of releases) release()
  }
})

test('someone who got another role is offered what it can do after signing in again, without a reload', async ({
  page,
  backend,
  open,
}) => {
  const isNew = ({ headers }: Call) => headers.authorization === 'Bearer new'
  backend.answer(currentUser, (call) => (isNew(call) ? ME : { ...ME, is_super_admin: false, is_auditor: true }))
  backend.answer(login, { access_token: 'new' })
  await open('/workspaces')
  await expect(button(page, 'Columns')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create' })).toHaveCount(0)
  backend.answer(listUsers, (call) => (isNew(call) ? { objects: [USER], total: 1, size: 20 } : ENDED))
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users', exact: true }).click()
  await expect(question(page)).toContainText('Your session has ended.')
  await question(page).getByLabel('Password', { exact: true }).fill('quiet river stone')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Create' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Select Iryna' })).toBeVisible()
})

test.describe('another super admin signs in in another tab, and the changes of a user', () => {
  test.beforeEach(async ({ page }) => {
    // A page remembers whose the tokens are, so it is loaded.
    await page.goto('/users/10/edit')
    await expect(page.getByRole('button', { name: 'Olena Kovalenko', exact: true })).toBeVisible()
    await field(page, 'Last name').fill('Half typed')
    page.on('dialog', (asked) => {
      expect.soft(asked.type(), 'the browser asks whether to leave').toBe('')
      return asked.dismiss()
    })
  })

  test('unsaved changes are not saved for another user, who signed in in another tab', async ({ page, backend }) => {
    const release = await signInElsewhere(page, backend)
    await button(page, 'Save').click()
    await expect(button(page, 'Save')).toHaveCount(0)
    release()
    await expectOther(page)
    expect(backend.calls(updateUser)).toEqual([])
  })

  test('what waits is not done for another user, also when it is unknown who signed in in another tab', async ({
    page,
    backend,
  }) => {
    let isKnown = false
    backend.answer(currentUser, (call) => {
      if (!isTheirs(call)) return ME
      if (isKnown) return OTHER
      isKnown = true
      return new Refusal(503, 'The database is away.')
    })
    backend.answer(updateUser, () => CONFIRM)
    await button(page, 'Save').click()
    await expect(question(page)).toBeVisible()
    const release = await signInElsewhere(page, backend)
    release()
    await expectOther(page)
    await expect(question(page)).toHaveCount(0)
    expect(backend.calls(updateUser)).toHaveLength(1)
  })

  test('a call that is rejected after another user signed in in another tab is not repeated', async ({
    page,
    backend,
  }) => {
    backend.answer(updateUser, () => ENDED)
    const reject = backend.hold(updateUser)
    await button(page, 'Save').click()
    await expect.poll(() => backend.calls(updateUser).length).toBe(1)
    const release = await signInElsewhere(page, backend)
    const rejected = page.waitForResponse((response) => response.status() === 401)
    reject()
    await rejected
    release()
    await expectOther(page)
    await expect(question(page)).toHaveCount(0)
    expect(backend.calls(updateUser)).toHaveLength(1)
  })
})

/** The page asks who it is, and gets its answer once the returned function is called. */
async function signInElsewhere(page: Page, backend: Backend) {
  const release = backend.hold(currentUser)
  // What a frame stores reaches the page as if another tab had stored it.
  await page.evaluate(() => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    frame.contentWindow?.localStorage.setItem('access_token', 'theirs')
    frame.remove()
  })
  await expect.poll(() => backend.calls(currentUser).some(isTheirs)).toBe(true)
  return release
}

async function expectOther(page: Page) {
  await expect(page.getByRole('button', { name: 'Vera Moroz', exact: true })).toBeVisible()
  await expect(page).toHaveURL('/users')
}
