import { expectAccessible } from './accessible.ts'
import { edited, question, save, signInVera } from './merge-page.ts'
import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { ai, button, dialog, field, test } from './workspaces-page.ts'

test.beforeEach(({ faults }) => faults.allow(REFUSED))

test('fields that both changed are asked, with who changed it; nothing is selected, and cancel changes nothing', async ({
  page,
  make,
  watchdesk,
}) => {
  const { id, get, vera } = await edited(page, make, watchdesk.url)
  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Name').fill('My name')
  await field(page, 'Description').fill('My text')
  await field(ai(page), 'Limit').fill('1,234')
  const { ai_quota } = await get()
  await vera({ description: `${'Their long text. '.repeat(80)}\nEnd`, homepage: '/theirs' })
  await vera({ ai_quota: { ...ai_quota, limit: 9000 } })
  await button(page, 'Save').click()
  await expect(dialog(page)).toHaveAccessibleName('Somebody else changed this workspace while you were editing')
  await expect(dialog(page)).toContainText('Vera Moroz changed Homepage in the meantime. This change is kept.')
  await expect(dialog(page).getByRole('radiogroup')).toHaveCount(2)
  await expect(question(page, 'AI quota limit')).toHaveText(
    /^AI quota limitchanged by Vera Moroz today at .*Mine1,234Theirs9,000$/,
  )
  await expect(question(page, 'AI quota limit').getByRole('radio', { name: 'Theirs' })).toHaveAccessibleDescription(
    '9,000',
  )
  await expect(dialog(page).getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(save(page)).toBeDisabled()
  await question(page, 'Description').getByText('Their long text').click()
  await expect(dialog(page)).toContainText('1 field left to decide')
  await expect(save(page)).toBeDisabled()
  await expectAccessible(page)
  await button(dialog(page), 'Cancel').click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(field(page, 'Name')).toHaveValue('My name')
  await expect(field(page, 'Description')).toHaveValue('My text')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  expect((await get()).version).toBe(3)

  await button(page, 'Save').click()
  await question(page, 'Description').getByText('Their long text').click()
  await question(page, 'AI quota limit').getByText('1,234').click()
  await save(page).click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  const { name, description, ai_quota: quota, config } = await get()
  expect({ name, limit: quota.limit, homepage: config.homepage }).toEqual({
    name: 'My name',
    limit: 1234,
    homepage: '/theirs',
  })
  expect(description).toMatch(/^Their long text/)
})

test('a password that both have changed is asked about, without showing it', async ({ page, make, watchdesk }) => {
  const person = await make.user(1)
  const vera = await signInVera(page, make, watchdesk.url)
  const statusOf = async (password: string) => {
    const data = { email: person.email, password }
    return (await page.request.post(`${watchdesk.url}/api/v1/login`, { data })).status()
  }
  await page.goto(`/users/${person.id}/edit`)
  await page.getByRole('switch', { name: 'Change password' }).check()
  await field(page, 'Password').fill('my river stone')
  await vera('PATCH', `users/${person.id}`, { password: 'their river stone' })
  await button(page, 'Save').click()
  await expect(question(page, 'Password')).toHaveText(/changed by Vera Moroz.*MineYour new oneTheirsTheir new one$/)
  await question(page, 'Password').getByText('Their new one').click()
  await save(page).click()
  await expect(page).toHaveURL('/users')
  // A right password of a user who may not use the console.
  expect(await statusOf('their river stone')).toBe(403)
  expect(await statusOf('my river stone')).toBe(401)
})
