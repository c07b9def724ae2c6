import type { Page } from '@playwright/test'
import { runSql } from './database.ts'
import type { Watchdesk } from './watchdesk.ts'

/** The first user of a new database. */
const FULL_NAME = 'Super Admin'

/** What Chromium logs to the console for this status. */
export const REFUSED = /Failed to load resource.*status of 4\d\d/
export const BROKEN = /Failed to load resource.*status of 5\d\d/

export const email = (page: Page) => page.getByLabel('Email')
export const password = (page: Page) => page.getByLabel('Password', { exact: true })
export const loginButton = (page: Page) => page.getByRole('button', { name: 'Login' })
export const errorLine = (page: Page) => page.getByRole('alert')
export const account = (page: Page) => page.getByRole('button', { name: FULL_NAME, exact: true })
export const logoutItem = (page: Page) => page.getByRole('menuitem', { name: 'Logout' })
/** The dialog after an expired session, and before a dangerous action. */
export const signInAgain = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })
export const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('access_token'))

export async function submit(page: Page, person: { email: string; password: string }) {
  await email(page).fill(person.email)
  await password(page).fill(person.password)
  await loginButton(page).click()
}

/** As if everyone had signed in an hour ago, which is too long for dangerous actions. */
export async function makeSignInsOld(watchdesk: Watchdesk) {
  watchdesk.session.forget()
  await runSql(watchdesk, "update sessions set proved_at = now() - interval '1 hour'")
}
