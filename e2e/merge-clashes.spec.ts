import { expectAccessible } from './accessible.ts'
import { edited, question, save, signInVera } from './merge-page.ts'
import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { ai, button, dialog, field, test, toast } from './workspaces-page.ts'

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

test('fields are decided with the keyboard on a phone', async ({ page, make, watchdesk }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id, get, vera } = await edited(page, make, watchdesk.url)
  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Name').fill('My name')
  await field(page, 'Description').fill('My text')
  await vera({ name: 'Their name', description: 'Their text' })
  await field(page, 'Name').press('Enter')
  await expect(question(page, 'Name').getByRole('radio', { name: 'Mine' })).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await expect(question(page, 'Description').getByRole('radio', { name: 'Theirs' })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/workspaces/${id}`)
  expect(await get()).toMatchObject({ name: 'My name', description: 'Their text' })
})

test('a field that is changed again while the dialog is open is asked about again', async ({
  page,
  make,
  watchdesk,
}) => {
  const { id, get, vera } = await edited(page, make, watchdesk.url)
  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Name').fill('My name')
  await field(page, 'Description').fill('My text')
  await vera({ name: 'Their name', description: 'Their text' })
  await button(page, 'Save').click()
  await question(page, 'Name').getByText('My name').click()
  await question(page, 'Description').getByText('My text').click()
  await vera({ description: 'Their newer text' })
  await save(page).click()
  await expect(dialog(page).getByRole('radiogroup')).toHaveCount(1)
  await expect(dialog(page).getByRole('radio', { checked: true })).toHaveCount(0)
  await question(page, 'Description').getByText('Their newer text').click()
  await save(page).click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  expect(await get()).toMatchObject({ name: 'My name', description: 'Their newer text' })
})

test('choices are kept when saving fails', async ({ page, make, watchdesk }) => {
  const { id, get, vera } = await edited(page, make, watchdesk.url)
  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Description').fill('My text')
  await vera({ description: 'Their text', homepage: '/theirs' })
  await button(page, 'Save').click()
  await question(page, 'Description').getByText('My text').click()
  await page.route(`**/api/v1/workspaces/${id}`, (route) => route.fulfill({ status: 400, json: { detail: 'No.' } }))
  await save(page).click()
  await expect(toast(page)).toHaveText('No.')
  await expect(dialog(page)).toHaveCount(0)
  await page.unroute(`**/api/v1/workspaces/${id}`)
  await button(page, 'Save').click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  expect(await get()).toMatchObject({ description: 'My text', config: { homepage: '/theirs' } })
})

test('without events, the dialog says who changed the record last', async ({ page, make, watchdesk }) => {
  const { id, vera } = await edited(page, make, watchdesk.url)
  await page.goto(`/workspaces/${id}/edit`)
  await page.route('**/api/v1/audit/*', (route) => route.fulfill({ status: 404, json: { detail: 'Not found.' } }))
  await field(page, 'Description').fill('My text')
  await vera({ description: 'Their text', status: 'INTERNAL' })
  await button(page, 'Save').click()
  await expect(dialog(page)).toContainText('This workspace was changed by Vera Moroz today at')
  await expect(dialog(page)).toContainText('Someone else changed Status in the meantime. This change is kept.')
  await expect(question(page, 'Description')).toHaveText('DescriptionMineMy textTheirsTheir text')
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
