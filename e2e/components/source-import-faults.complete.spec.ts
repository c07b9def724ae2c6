import { serviceAccount } from '@watchdesk/contract/source-import'
import { importButton } from '../source-import-page.ts'
import { expect, test } from './test.ts'

test('a page whose files failed to load can be retried', async ({ page, backend, faults }) => {
  backend.refuse(serviceAccount, 404, 'Not Found')
  faults.allow(/Unable to preload/)
  await page.goto('/dashboards')
  await page.route('**/*.css', (route) => route.abort())
  await page.getByRole('link', { name: 'Source import' }).click()
  await expect(page.getByRole('alert')).toContainText('This page could not be shown. Try again.')
  await page.unroute('**/*.css')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(importButton(page)).toBeVisible()
})
