import { account, logoutItem, REFUSED, storedToken, submit } from './session-page.ts'
import { expect, signIn, test } from './test.ts'

test('the top bar names the person, and Logout ends the session here and on the server', async ({
  page,
  watchdesk,
}) => {
  const token = await signIn(page, watchdesk)
  await page.goto('/users')
  // Calls that are still on their way would be rejected.
  await page.waitForLoadState('networkidle')
  await account(page).click()
  const call = page.waitForResponse('**/api/v1/logout')
  await logoutItem(page).click()
  expect((await call).status()).toBe(204)
  await expect(page).toHaveURL('/login')
  expect(await storedToken(page)).toBeNull()
  await expect(account(page)).toHaveCount(0)
  const later = await page.request.get('/api/v1/users/me', { headers: { authorization: `Bearer ${token}` } })
  expect(later.status()).toBe(401)
})

test('logging out and in in one tab does the same in the others', async ({ page, context, watchdesk, faults }) => {
  // Logging out rejects calls that are still on their way.
  faults.allow(REFUSED)
  await signIn(page, watchdesk)
  await page.goto('/users')
  const other = await context.newPage()
  await other.goto('/users')
  await expect(account(other)).toBeVisible()

  await account(page).click()
  await logoutItem(page).click()
  await expect(other).toHaveURL('/login')

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
