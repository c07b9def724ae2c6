import type { Workspace } from '@watchdesk/contract/workspaces'
import { test } from './history-page.ts'
import { question, save } from './merge-page.ts'
import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { ai, button, dialog, field, toast } from './workspaces-page.ts'

test('changes of different fields are merged without a question; fields that both changed are asked, with who changed it', async ({
  page,
  api,
  make,
  vera,
  faults,
}) => {
  faults.allow(REFUSED)
  const { id, name, description, analytical_quota, ai_quota } = await make.workspace()
  const body = { name, description, analytical_quota, ai_quota }
  const get = () => api<Workspace>('GET', `workspaces/${id}`)
  const change = (changes: object) => vera.api('PUT', `workspaces/${id}`, Object.assign(body, changes))
  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Description').fill('Mine')
  await field(ai(page), 'Balance').fill('777')
  await change({ status: 'PAID_CLIENT', ai_quota: { ...ai_quota, limit: 5000 } })
  await button(page, 'Save').click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  await expect(toast(page)).toHaveText(
    `Workspace ${name} saved.${vera.name} changed Status and AI quota limit in the meantime. These changes are kept.`,
  )
  expect(await get()).toMatchObject({
    version: 3,
    description: 'Mine',
    status: 'PAID_CLIENT',
    ai_quota: { ...ai_quota, balance: 777, limit: 5000 },
  })

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await field(page, 'Name').fill('My name')
  await field(page, 'Description').fill('My text')
  await field(ai(page), 'Limit').fill('1,234')
  await change({ description: `${'Their long text. '.repeat(80)}\nEnd`, homepage: '/theirs' })
  await change({ ai_quota: { ...ai_quota, limit: 9000, balance: 777 } })
  await button(page, 'Save').click()
  await expect(dialog(page)).toHaveAccessibleName('Somebody else changed this workspace while you were editing')
  await expect(dialog(page)).toContainText(`${vera.name} changed Homepage in the meantime. This change is kept.`)
  await expect(dialog(page).getByRole('radiogroup')).toHaveCount(2)
  await expect(question(page, 'AI quota limit')).toHaveText(
    new RegExp(`^AI quota limitchanged by ${vera.name} today at .*Mine1,234Theirs9,000$`),
  )
  await expect(question(page, 'AI quota limit').getByRole('radio', { name: 'Theirs' })).toHaveAccessibleDescription(
    '9,000',
  )
  await expect(dialog(page).getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(save(page)).toBeDisabled()
  await question(page, 'Description').getByText('Their long text').click()
  await expect(dialog(page)).toContainText('1 field left to decide')
  await expect(save(page)).toBeDisabled()
  await question(page, 'AI quota limit').getByText('1,234').click()
  await save(page).click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  const { description: text, ...saved } = await get()
  expect(saved).toMatchObject({ name: 'My name', ai_quota: { limit: 1234 }, config: { homepage: '/theirs' } })
  expect(text).toMatch(/^Their long text/)
})
