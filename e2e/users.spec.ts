import { expect, shareSession, test } from './test.ts'
import { rows } from './users-page.ts'

// Without a cache.
test.use({ hasOwnTab: true })

test('the users list loads at most 190 KB of script and style', async ({ page, watchdesk }) => {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (['script', 'stylesheet'].includes(request.resourceType())) {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    }
  })
  await shareSession(page, watchdesk)
  await page.goto('/users', { waitUntil: 'networkidle' })
  await expect(rows(page).first()).toBeVisible()
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  expect(total).toBeGreaterThan(100_000)
  expect(total).toBeLessThanOrEqual(190 * 1024)
})
