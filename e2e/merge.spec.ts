import type { Page } from '@playwright/test'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expectAccessible } from './accessible.ts'
import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { bodyOf, FIELDS, fieldsOf } from './workspace-fields.ts'
import { ai, button, dialog, field, type Make, PASSWORD, section, test, toast, unique } from './workspaces-page.ts'

const question = (page: Page, label: string) => dialog(page).getByRole('radiogroup', { name: label, exact: true })
const save = (page: Page) => button(dialog(page), 'Save')

test.beforeEach(({ faults }) => faults.allow(REFUSED))

/** Each save covers the pairs of one field with all others; `merge-pairs.test.ts` covers each pair alone. */
for (const [path, { label, change, mine, theirs }] of Object.entries(FIELDS)) {
  test(`I change ${label}, someone else all fields: only ${label} is asked about, nothing is overwritten`, async ({
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

/** Another super admin, who edits the same workspace through the API. */
async function edited(page: Page, make: Make, url: string, fields?: object) {
  const { id, name, description, analytical_quota, ai_quota } = await make.workspace(fields)
  const { email } = await make.user(1, {
    first_name: 'Vera',
    last_name: 'Moroz',
    is_super_admin: true,
    email: `${unique('vera')}@example.com`,
  })
  const login = await page.request.post(`${url}/api/v1/login`, { data: { email, password: PASSWORD } })
  const headers = { authorization: `Bearer ${(await login.json()).access_token}` }
  const get = async (): Promise<Workspace> =>
    (await page.request.get(`${url}/api/v1/workspaces/${id}`, { headers })).json()
  const body = { name, description, analytical_quota, ai_quota, ...fields }
  return {
    id,
    name,
    get,
    vera: async (changes: object) => {
      const response = await page.request.put(`${url}/api/v1/workspaces/${id}`, {
        headers,
        data: { ...body, ...changes },
      })
      expect(response.status()).toBe(200)
      Object.assign(body, changes)
    },
  }
}

test('changes of different fields are merged without a question, and the message says what the other person changed', async ({
  page,
  make,
  watchdesk,
}) => {
  const { id, name, get, vera } = await edited(page, make, watchdesk.url)
  const { ai_quota } = await get()
  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Description').fill('Mine')
  await field(ai(page), 'Balance').fill('777')
  await vera({ status: 'PAID_CLIENT', ai_quota: { ...ai_quota, limit: 5000 } })
  await button(page, 'Save').click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  await expect(toast(page)).toHaveText(
    `Workspace ${name} saved.Vera Moroz changed Status and AI quota limit in the meantime. These changes are kept.`,
  )
  expect(await get()).toMatchObject({
    version: 3,
    description: 'Mine',
    status: 'PAID_CLIENT',
    ai_quota: { ...ai_quota, balance: 777, limit: 5000 },
  })
})

test('the same change by both is no question', async ({ page, make, watchdesk }) => {
  const { id, name, get, vera } = await edited(page, make, watchdesk.url)
  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Description').fill('Same')
  await vera({ description: 'Same' })
  await button(page, 'Save').click()
  await expect(toast(page)).toHaveText(`Workspace ${name} saved.`)
  expect(await get()).toMatchObject({ version: 2, description: 'Same' })
})

test('someone saves again while the merged values are sent: they are merged once more', async ({
  page,
  make,
  watchdesk,
}) => {
  const { id, get, vera } = await edited(page, make, watchdesk.url)
  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Description').fill('Mine')
  await vera({ status: 'PAID_CLIENT' })
  const changes = [{}, { homepage: '/first' }, { language: 'uk' }, { homepage: '/second' }]
  await page.route(`**/api/v1/workspaces/${id}`, async (route) => {
    const change = route.request().method() === 'PUT' && changes.shift()
    if (change) await vera(change)
    await route.fallback()
  })
  await button(page, 'Save').click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
  const { description, status, config } = await get()
  expect({ description, status }).toEqual({ description: 'Mine', status: 'PAID_CLIENT' })
  expect(config).toMatchObject({ homepage: '/second', language: 'uk' })
})

test.describe('both change the same fields', () => {
  test('each is asked, with who changed it; nothing is selected, and cancel changes nothing', async ({
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
    await expect(dialog(page)).toHaveAccessibleName('This workspace was changed while you were editing it')
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

  test('with the keyboard on a phone', async ({ page, make, watchdesk }) => {
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
})
