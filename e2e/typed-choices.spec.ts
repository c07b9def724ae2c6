import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'
import { button, chosen, expectError, field, nextWrite, select, test } from './workspaces-page.ts'

const MESSAGE = 'Choose from the list, or clear the text.'

/** Sends the form as Ctrl+S and Enter do: the focus stays where it is. */
const sendFrom = (field: Locator) => field.evaluate((input: HTMLInputElement) => input.form?.requestSubmit())

const ACCESS = { 'Feature flags': 'featureflags', Roles: 'roles', 'Available case types': 'available_case_types' }

for (const [label, key] of Object.entries(ACCESS)) {
  for (const how of ['a click on Save', 'a key'] as const) {
    test(`${label}: a name typed in full is saved by ${how}; half a name is not dropped`, async ({
      page,
      make,
      api,
    }) => {
      const { id } = await make.workspace({ [key]: [] })
      const path = { featureflags: 'all_featureflags', roles: 'all_roles', available_case_types: 'case_types' }[key]
      const [name = ''] = await api<string[]>('GET', `config/${path}`)
      const send = () => (how === 'a key' ? sendFrom(select(page, label)) : button(page, 'Save').click())
      await page.goto(`/workspaces/${id}/edit`)
      await select(page, label).pressSequentially(`${name.slice(0, -1)}?`)
      await send()
      await expectError(select(page, label), MESSAGE)
      await expect(select(page, label)).toBeFocused()
      await expect(select(page, label)).toHaveValue(`${name.slice(0, -1)}?`)
      await expect(page).toHaveURL(`/workspaces/${id}/edit`)

      await select(page, label).fill(name.toUpperCase())
      await expect(select(page, label)).not.toHaveAttribute('aria-invalid', 'true')
      const sent = nextWrite(page, 'PUT')
      await send()
      expect((await sent).body[key]).toEqual([name])
      await expect(page).toHaveURL(`/workspaces/${id}`)
    })
  }
}

test('a dashboard typed by its name is chosen when the field is left', async ({ page, make }) => {
  const { id } = await make.workspace()
  const { name } = await make.dashboard()
  await page.goto(`/workspaces/${id}/edit`)
  await select(page, 'PowerBI dashboards').fill(name)
  await page.keyboard.press('Tab')
  await expect(chosen(page, 'PowerBI dashboards')).toHaveText([name])
})

test('a list that was searched closes with the choice, so that it covers none of the controls around it', async ({
  page,
  make,
}) => {
  const { id } = await make.workspace({ available_case_types: ['fraud'] })
  const names: string[] = []
  for (let count = 0; count < 12; count += 1) names.push((await make.dashboard()).name)
  await page.goto(`/workspaces/${id}/edit`)
  await select(page, 'PowerBI dashboards').fill(names[0] ?? '')
  await page.getByRole('option', { name: names[0], exact: true }).click()
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await page.getByLabel('Clear available case types').click()
  await expect(chosen(page, 'Available case types')).toHaveCount(0)
  // Another one can be added right away.
  await select(page, 'PowerBI dashboards').fill(names[1] ?? '')
  await page.getByRole('option', { name: names[1], exact: true }).click()
  await expect(chosen(page, 'PowerBI dashboards')).toHaveText(names.slice(0, 2))
})

test('the trigger of a vectorization keeps what is typed into its choices', async ({ page }) => {
  const sent: unknown[] = []
  await page.route('**/api/v1/airflow/vectorize-narrative', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent.push(route.request().postDataJSON())
    await route.fulfill({ json: { execution_date: '2026-11-15T09:30:00.000Z' } })
  })
  await page.goto('/narratives_vectorization?narrative_id=7')
  await select(page, 'Platforms').pressSequentially('vkontakte')
  await trigger(page).click()
  await expectError(select(page, 'Platforms'), MESSAGE)
  expect(sent).toEqual([])
  await select(page, 'Platforms').fill('vk')
  await select(page, 'Content types').fill('post')
  await sendFrom(select(page, 'Content types'))
  await expect(page.getByText('Vectorization of narrative 7')).toBeVisible()
  expect(sent).toEqual([{ narrative_id: 7, platforms: ['VK'], content_types: ['POST'] }])
})

function trigger(page: Page) {
  return button(page, 'Trigger vectorization')
}

test('who tabs through a form opens no list over the button below', async ({ page }) => {
  await page.goto('/narratives_vectorization')
  await field(page, 'Narrative id').fill('7')
  await page.keyboard.press('Tab')
  await expect(select(page, 'Platforms')).toBeFocused()
  await button(page, 'Trigger vectorization').click({ trial: true, timeout: 5_000 })
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option').first()).toBeVisible()
})
