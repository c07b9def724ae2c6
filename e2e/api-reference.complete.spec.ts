import { account } from './session-page.ts'
import { expect, shareSession, test } from './test.ts'

// Rendering all calls takes several seconds of processor time, more on a busy machine.
test.describe.configure({ timeout: 180_000 })
const RENDERED = { timeout: 90_000 }

test('the account menu opens the API reference, which sends calls as the signed-in user, stores nothing, complies with its content security policy, and has the color scheme chosen in the console', async ({
  page,
  context,
  watchdesk,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  const token = await shareSession(page, watchdesk)
  await context.addInitScript(() => {
    const violations: string[] = []
    Object.assign(window, { violations })
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      violations.push(`${effectiveDirective} ${blockedURI}`)
    })
  })
  await page.goto('/users')
  await page.getByRole('button', { name: 'Color scheme' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await account(page).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'API reference' }).click()
  const reference = await opened
  await expect(reference.getByRole('heading', { name: 'Watchdesk', level: 1 })).toBeVisible(RENDERED)
  await expect(reference.getByRole('textbox', { name: 'Bearer Token' })).toHaveValue(token, RENDERED)
  await expect(reference.locator('body')).toHaveClass(/dark-mode/, RENDERED)

  await reference.getByRole('button', { name: 'users Open Group' }).click()
  await reference.getByRole('button', { name: 'The signed-in user' }).first().click()
  const response = reference.waitForResponse('**/api/v1/users/me')
  await reference.getByRole('button', { name: /^Test Request.*users\/me/ }).click()
  await reference.getByRole('button', { name: /^Send get request/ }).click()
  expect((await response).status()).toBe(200)
  await expect(reference.getByText('200 OK')).toBeVisible()

  const keys = () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]
  const ofConsole = await page.evaluate(keys)
  const stored = (await reference.evaluate(keys)).filter((key) => !ofConsole.includes(key))
  const state = await reference.evaluate(async () => ({
    violations: Object(window).violations,
    databases: await indexedDB.databases(),
  }))
  expect(stored).toEqual([])
  // A schema library checks whether it may use `eval`, and works without it.
  expect(state).toEqual({ violations: ['script-src eval'], databases: [] })
  expect(reference.url()).not.toContain(token)
})
