import { account, logoutItem } from './session-page.ts'
import { expect, shareSession, test } from './test.ts'

// Rendering all calls takes several seconds of processor time, more on a busy machine.
test.describe.configure({ timeout: 180_000 })
const RENDERED = { timeout: 90_000 }

test('the account menu opens the API reference, which sends calls as the signed-in user', async ({
  page,
  context,
  watchdesk,
}) => {
  await shareSession(page, watchdesk)
  await page.goto('/users')
  await account(page).click()
  await expect(logoutItem(page)).toBeVisible()
  const opened = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'API reference' }).click()
  const reference = await opened
  await expect(reference.getByRole('heading', { name: 'Watchdesk', level: 1 })).toBeVisible(RENDERED)

  await reference.getByRole('button', { name: 'users Open Group' }).click()
  await reference.getByRole('button', { name: 'The signed-in user' }).first().click()
  const response = reference.waitForResponse('**/api/v1/users/me')
  await reference.getByRole('button', { name: /^Test Request.*users\/me/ }).click()
  await reference.getByRole('button', { name: /^Send get request/ }).click()
  expect((await response).status()).toBe(200)
  await expect(reference.getByText('200 OK')).toBeVisible()
})

test('the API reference stores nothing, complies with its content security policy, and has the color scheme chosen in the console', async ({
  page,
  watchdesk,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  const token = await shareSession(page, watchdesk)
  await page.addInitScript(() => {
    const violations: string[] = []
    Object.assign(window, { violations })
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      violations.push(`${effectiveDirective} ${blockedURI}`)
    })
  })
  await page.goto('/api/docs')
  await expect(page.getByRole('textbox', { name: 'Bearer Token' })).toHaveValue(token, RENDERED)
  const state = await page.evaluate(async () => ({
    violations: Object(window).violations,
    stored: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
    databases: await indexedDB.databases(),
  }))
  // A schema library checks whether it may use `eval`, and works without it.
  expect(state).toEqual({ violations: ['script-src eval'], stored: ['access_token'], databases: [] })
  expect(page.url()).not.toContain(token)

  await expect(page.locator('body')).toHaveClass(/dark-mode/, RENDERED)
  await page.goto('/users')
  await page.getByRole('button', { name: 'Color scheme' }).click()
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  await page.goto('/api/docs')
  await expect(page.locator('body')).toHaveClass(/light-mode/, RENDERED)
})
