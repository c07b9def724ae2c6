import type { Workspace } from '@watchdesk/contract/workspaces'
import { question, save } from './merge-page.ts'
import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { bodyOf, FIELDS, fieldsOf } from './workspace-fields.ts'
import { button, dialog, section, test } from './workspaces-page.ts'

test.beforeEach(({ faults }) => faults.allow(REFUSED))

/** Each save covers the pairs of one field with all others; `merge-pairs.test.ts` covers each pair alone. */
for (const [path, { label, change, mine, theirs }] of Object.entries(FIELDS)) {
  const outcome = mine === theirs ? 'we agree, so nothing is asked' : `only ${label} is asked about`
  test(`I change ${label}, someone else all fields: ${outcome}, and nothing is overwritten`, async ({
    page,
    api,
    make,
  }) => {
    const dashboards = { mine: await make.dashboard(), theirs: await make.dashboard() }
    const all = bodyOf(dashboards, () => 'theirs')
    const { id } = await api<Workspace>(
      'POST',
      'workspaces/',
      bodyOf(dashboards, () => 'start'),
    )
    const saved = async () => fieldsOf(await api<Workspace>('GET', `workspaces/${id}`))
    await page.goto(`/workspaces/${id}/edit`)
    await section(page, 'Advanced configuration').click()
    await change(page, dashboards)
    await api('PUT', `workspaces/${id}`, all)
    await button(page, 'Save').click()
    if (mine !== theirs) {
      await expect(dialog(page).getByRole('radiogroup')).toHaveCount(1)
      expect(await saved()).toEqual(all)
      await question(page, label).getByText('Mine', { exact: true }).click()
      await save(page).click()
    }
    await expect(page).toHaveURL(`/workspaces/${id}`)
    expect(await saved()).toEqual(bodyOf(dashboards, (other) => (other === path ? 'mine' : 'theirs')))
  })
}
