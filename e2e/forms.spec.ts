import { REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import {
  ai,
  analytical,
  button,
  dialog,
  expectError,
  field,
  fillQuota,
  heading,
  nextWrite,
  row,
  select,
  test,
  toast,
  unique,
} from './workspaces-page.ts'

const OFFLINE = /net::ERR_INTERNET_DISCONNECTED/

test('typing into a filled workspace picker replaces its name', async ({ page, make }) => {
  const [one, two] = [
    await make.workspace({ name: unique('Atlas') }),
    await make.workspace({ name: unique('Vistula') }),
  ]
  const picker = select(page, 'Workspace')
  await page.goto(`/users/create?workspace_id=${one.id}`)
  await expect(picker).toHaveValue(one.name)
  // Leaving the field selects what was typed.
  for (const [reach, name] of [
    [() => picker.click(), two.name],
    [() => picker.focus(), one.name],
  ] as const) {
    await field(page, 'First name').focus()
    await reach()
    await page.keyboard.type(name)
    await expect(picker).toHaveValue(name)
    await expect(page.getByRole('option').first()).toHaveText(name)
  }
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(picker).toHaveValue(one.name)

  await page.goto(`/users?workspace_id=${one.id}`)
  await expect(picker).toHaveValue(one.name)
  await picker.click()
  await page.keyboard.type(two.name)
  await page.getByRole('option', { name: two.name }).click()
  await expect(page).toHaveURL(`/users?workspace_id=${two.id}`)
})

test('the same holds when the list has loaded but the workspace itself has not', async ({ page, make }) => {
  const { id, name } = await make.workspace({ name: unique('Atlas') })
  await page.route(`**/api/v1/workspaces/${id}`, () => {})
  // Ensures that the list contains the workspace, whatever other tests have created.
  await page.route('**/api/v1/workspaces/?*', (route) =>
    route.fulfill({ json: { objects: [{ id, name }], total: 1, size: 100 } }),
  )
  const picker = select(page, 'Workspace')
  await page.goto(`/users/create?workspace_id=${id}`)
  await expect(picker).toHaveValue(name)
  await picker.click()
  await page.keyboard.type('Vistula')
  await expect(picker).toHaveValue('Vistula')
})

test('a form that creates something has the cursor in its first empty field', async ({ page, make }) => {
  const { id } = await make.workspace()
  for (const [path, first] of [
    ['/users/create', select(page, 'Workspace')],
    [`/users/create?workspace_id=${id}`, field(page, 'First name')],
    ['/workspaces/create', field(page, 'Name')],
    ['/dashboards/create', field(page, 'Name')],
  ] as const) {
    await page.goto(path)
    await expect(first).toBeFocused()
    await expect(page.getByRole('option')).toHaveCount(0)
  }
  await page.goto('/dashboards')
  await page.getByRole('link', { name: 'Create dashboard' }).first().click()
  await expect(field(page, 'Name')).toBeFocused()
})

test('saving offline shows an error and keeps the form, and works once online again', async ({
  page,
  make,
  faults,
}) => {
  faults.allow(OFFLINE)
  const { id, version } = await make.workspace()
  expect(version).toBeGreaterThan(0)
  await page.goto(`/workspaces/${id}/edit`)
  await field(page, 'Description').fill('Written on a train')
  await page.context().setOffline(true)
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText('Something went wrong')
  await expect(toast(page)).toContainText('The server cannot be reached. Check your connection and try again.')
  await expect(field(page, 'Description')).toHaveValue('Written on a train')
  await page.context().setOffline(false)
  await button(page, 'Save').click()
  await expect(page).toHaveURL(`/workspaces/${id}`)
})

test('a duplicate email is marked at its field, when creating and when editing', async ({ page, make, faults }) => {
  faults.allow(REFUSED)
  const { id } = await make.workspace()
  const [one, two] = [await make.user(id), await make.user(id)]
  const taken = 'A user with this email already exists.'
  await page.goto(`/users/${two.id}/edit`)
  await field(page, 'Email').fill(one.email)
  await button(page, 'Save').click()
  await expect(toast(page)).toContainText(taken)
  await expectError(field(page, 'Email'), taken)
  await expect(field(page, 'Email')).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type('.ua')
  await expect(field(page, 'Email')).not.toHaveAttribute('aria-invalid', 'true')
  await button(page, 'Save').click()
  await expect(heading(page)).toHaveText('Users')

  await page.goto(`/users/create?workspace_id=${id}`)
  await field(page, 'First name').fill('A')
  await field(page, 'Last name').fill('B')
  await field(page, 'Email').fill(one.email.toUpperCase())
  await button(page, 'Generate').click()
  await button(page, 'Create and add another').click()
  await expectError(field(page, 'Email'), taken)
  await expect(field(page, 'Email')).toBeFocused()
  await expect(page.getByRole('heading', { name: 'User created' })).toHaveCount(0)
})

test.describe('days', () => {
  test.use({ locale: 'uk-UA', hasOwnTab: true })

  test('are typed in the local format, become year-month-day, and are validated on blur', async ({ page }) => {
    await page.goto('/workspaces/create')
    const day = field(analytical(page), 'Next renewal date')
    await expect(day).toHaveAttribute('placeholder', 'YYYY-MM-DD or DD.MM.YYYY')
    await day.fill('31.06.2027')
    await expect(day).not.toHaveAttribute('aria-invalid', 'true')
    await day.press('Tab')
    await expectError(day, 'This date does not exist.')
    await day.fill('06/30/2027')
    await day.press('Tab')
    await expectError(day, 'Must be a date in the format YYYY-MM-DD or DD.MM.YYYY.')
    await day.fill('30.6.2027')
    await expect(day).not.toHaveAttribute('aria-invalid', 'true')
    await day.press('Tab')
    await expect(day).toHaveValue('2027-06-30')
    await button(analytical(page), 'Choose next renewal date').click()
    await expect(dialog(page).getByRole('button', { name: /^30 / })).toHaveAttribute('data-selected', 'true')
    await page.keyboard.press('Escape')

    await field(page, 'Name').fill(unique('Days'))
    await fillQuota(analytical(page), '1', '2', '1 грудня 2027 р.')
    await fillQuota(ai(page), '1', '2', '02.12.27')
    // The field still has the focus: its text is parsed as on blur.
    const write = nextWrite(page, 'POST')
    await page.keyboard.press('Enter')
    expect((await write).body).toMatchObject({
      analytical_quota: { renewal_date: '2027-12-01T00:00:00' },
      ai_quota: { renewal_date: '2027-12-02T00:00:00' },
    })
  })
})

test.describe('keys', () => {
  test('/ puts the cursor into the search of a list, and is an ordinary character in every field', async ({
    page,
    make,
  }) => {
    const { id, name } = await make.workspace()
    for (const path of ['/users', '/workspaces', `/workspaces/${id}`]) {
      await page.goto(path)
      const search = page.getByRole('searchbox')
      await expect(search).toHaveAttribute('aria-keyshortcuts', '/')
      await expect(page.getByTitle('Press / to search')).toBeVisible()
      await expect(search).not.toBeFocused()
      await page.keyboard.press('/')
      await expect(search).toBeFocused()
      await expect(search).toHaveValue('')
      await page.keyboard.type('a/b')
      await expect(search).toHaveValue('a/b')
      await expect(page).toHaveURL(/search=a%2Fb/)
      await expect(page.getByTitle('Press / to search')).toHaveCount(0)
    }
    await page.goto(`/workspaces?search=${name}`)
    await button(page, `Delete ${name}`).click()
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox')).not.toBeFocused()
    await page.keyboard.press('Escape')
    await expect(row(page, name)).toBeVisible()
  })

  for (const [keys, how] of [
    ['Control+s', 'Ctrl+S'],
    ['Meta+s', 'Cmd+S'],
  ] as const) {
    test(`${how} saves from any field, as the button does`, async ({ page, make }) => {
      const { id } = await make.workspace()
      await page.goto(`/workspaces/${id}/edit`)
      await expect(button(page, 'Save')).toHaveAttribute('title', /^(Ctrl\+|⌘)S$/)
      await field(page, 'Description').fill('By keys alone')
      await field(ai(page), 'Next renewal date').fill('12/31/2027')
      const write = nextWrite(page, 'PUT')
      await page.keyboard.press(keys)
      expect((await write).body).toMatchObject({
        description: 'By keys alone',
        ai_quota: { renewal_date: '2027-12-31T00:00:00' },
      })
      await expect(page).toHaveURL(`/workspaces/${id}`)
    })
  }

  test('Ctrl+S saves on a Cyrillic keyboard too; wrong fields are marked, and a dialog has the keys', async ({
    page,
  }) => {
    await page.goto('/dashboards/create')
    await expect(field(page, 'Name')).toBeFocused()
    const press = () =>
      page.evaluate(() =>
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'і', code: 'KeyS', ctrlKey: true, bubbles: true, cancelable: true }),
        ),
      )
    await press()
    await expectError(field(page, 'Name'), 'Name is required!')
    await expect(field(page, 'Name')).toBeFocused()
    await field(page, 'Name').fill(unique('Reach'))
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(dialog(page)).toHaveAccessibleName('Leave without saving?')
    expect(await press()).toBe(false)
    await button(page, 'Stay').click()
    await expect(field(page, 'Embed link')).toHaveAccessibleDescription(/^Embed link is required!/)
    await expect(toast(page)).toHaveCount(0)
  })
})
