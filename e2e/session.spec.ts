import { statusOf } from './account-page.ts'
import { account, logoutItem, REFUSED, storedToken, submit } from './session-page.ts'
import { expect, signIn, test } from './test.ts'

test('Logout ends the session here, in other tabs and on the server, and signing in does the same in the others', async ({
  page,
  context,
  watchdesk,
  faults,
}) => {
  // Logging out rejects calls that are still on their way.
  faults.allow(REFUSED)
  const token = await signIn(page, watchdesk)
  await page.goto('/users')
  const other = await context.newPage()
  await other.goto('/users')
  await expect(account(other)).toBeVisible()

  await account(page).click()
  const call = page.waitForResponse('**/api/v1/logout')
  await logoutItem(page).click()
  expect((await call).status()).toBe(204)
  await expect(page).toHaveURL('/login')
  await expect(account(page)).toHaveCount(0)
  await expect(other).toHaveURL('/login')
  expect(await storedToken(page)).toBeNull()
  expect(await statusOf(page, token)).toBe(401)

  await submit(other, watchdesk)
  await expect(other).toHaveURL('/users')
  await expect(page).toHaveURL('/users')
})

test.describe('without a cache', () => {
  test.use({ hasOwnTab: true })

  test('the login page loads at most 120 KB of script and style', async ({ page }) => {
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (['script', 'stylesheet'].includes(request.resourceType())) {
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
      }
    })
    await page.goto('/login', { waitUntil: 'networkidle' })
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(50_000)
    expect(total).toBeLessThanOrEqual(120 * 1024)
  })
})
