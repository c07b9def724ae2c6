import { checkDashboardLinks, listDashboards } from '@watchdesk/contract/dashboards'
import { linkResult } from '../dashboards-page.ts'
import { button } from '../workspaces-page.ts'
import { aDashboard } from './records.ts'
import { answerList, expect, test } from './test.ts'

test('the check shows how far it is and can be cancelled', async ({ page, backend, open }) => {
  const dashboards = [1, 2, 3, 4, 5, 6].map((id) => aDashboard({ id, name: `Link ${id}` }))
  const [first, silent] = [dashboards[0], dashboards[5]] as [(typeof dashboards)[0], (typeof dashboards)[0]]
  answerList(backend, listDashboards, dashboards)
  backend.answer(checkDashboardLinks, ({ body: { ids } }) => {
    if (ids.includes(silent.id)) return new Promise<never>(() => {})
    const works = { embed_link: first.embed_link, problem: null, status: 200, embedding: 'allowed' as const }
    return { objects: ids.map((id) => ({ id, ...works })) }
  })
  await open('/dashboards')
  await button(page, 'Check links').click()
  await expect(page.getByText('Checked 5 of 6 links')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Links checked' })).toHaveAttribute('aria-valuenow', '83')
  await expect(linkResult(page, first)).toContainText('Works')
  await expect(linkResult(page, silent)).toHaveText('Checking…')
  await button(page, 'Cancel').click()
  await expect(linkResult(page, silent)).toHaveText('Not checked')
  await expect(page.getByText('5 links work')).toBeVisible()
  await expect(button(page, 'Check links')).toBeVisible()
})
