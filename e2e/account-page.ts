import type { Page } from '@playwright/test'
import { createPerson } from './second-factor-page.ts'
import { expect, signIn } from './test.ts'
import { heading } from './users-page.ts'
import type { Watchdesk } from './watchdesk.ts'

export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const passwordForm = (page: Page) => page.getByRole('form', { name: 'Password' })

/** A workspace admin, who is signed in on the page. */
export async function signInAsPerson(page: Page, watchdesk: Watchdesk) {
  const person = await createPerson(page, watchdesk)
  const token = await signIn(page, { ...person, url: watchdesk.url })
  return { ...person, token, name: `${person.first_name} ${person.last_name}` }
}

export async function openAccount(page: Page, origin = '') {
  await page.goto(`${origin}/account`)
  await expectAccount(page)
}

/** Until it has loaded its sections move, so that a click could miss. */
export async function expectAccount(page: Page) {
  await expect(heading(page)).toHaveText('My account')
  await expect(section(page, 'Sessions')).toBeVisible()
  await expect(page.getByRole('status', { name: /^Loading the (sessions|tokens)$/ })).toHaveCount(0)
}

/** A dangerous action: it needs a sign-in of the last minutes. */
export async function createToken(page: Page, name: string) {
  await section(page, 'Tokens').getByRole('button', { name: 'Create token' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.keyboard.press('Enter')
}

/** So that Back leads to the page before. */
export async function openAccountFromMenu(page: Page) {
  await page.getByRole('banner').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  await expectAccount(page)
}

/** What is shown only once survives Back, with this explanation, and a reload that is not confirmed. */
export async function expectKept(page: Page, text: string) {
  await page.evaluate(() => history.back())
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(text)
  await expect(page).toHaveURL('/account')
  await cancelReload(page)
}

/** Reloads the page, and stays when the browser asks. */
export async function cancelReload(page: Page) {
  const asked = page.waitForEvent('dialog')
  const reloading = page.evaluate(() => window.location.reload())
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await reloading
}

export const codes = (page: Page) =>
  page.getByRole('dialog').getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')

export async function saveCodes(page: Page) {
  await expect(codes(page)).toHaveCount(10)
  const shown = await codes(page).allInnerTexts()
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Recovery codes', exact: true })).toBeFocused()
  // They are not shown again, so that only the button closes the dialog.
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByRole('checkbox', { name: 'I have saved them' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  return shown
}

/** Loaded when they come into view. */
export async function events(page: Page) {
  await section(page, 'Security events').scrollIntoViewIfNeeded()
  return section(page, 'Security events')
}

/** The status of a call with this token. */
export async function statusOf(page: Page, token: string, method = 'GET', path = 'users/me', data?: object) {
  const headers = { authorization: `Bearer ${token}` }
  return (await page.request.fetch(`/api/v1/${path}`, { method, headers, data })).status()
}

/** Another session of the same person, such as one in another browser. */
export async function signInElsewhere(page: Page, { email, password }: { email: string; password: string }) {
  const response = await page.request.post('/api/v1/login', { data: { email, password } })
  return String((await response.json()).access_token)
}
