import type { Workspace } from '@watchdesk/contract/workspaces'
import { BROKEN, REFUSED } from './session-page.ts'
import { expect, storeToken } from './test.ts'
import {
  ai,
  analytical,
  button,
  choose,
  chosen,
  dialog,
  expectError,
  field,
  fillQuota,
  heading,
  nextWrite,
  options,
  section,
  select,
  slider,
  test,
  toast,
  unique,
} from './workspaces-page.ts'

const STATUSES = [
  'INTERNAL',
  'DEACTIVATED',
  'TRIAL',
  'FREE_ACCESS',
  'PAID_CLIENT',
  'PAID_CLIENT_UCBI',
  'PAID_CLIENT_I3',
]

test.describe('create', () => {
  test('starts with the available roles, the default case types and the default model', async ({ page, api }) => {
    const { default_case_types, default_stories_vectors_model } = await api<Record<string, string>>(
      'GET',
      'config/website_config',
    )
    await page.goto('/workspaces/create')
    await expect(heading(page)).toHaveText('Create workspace')
    await expect(page).toHaveTitle('Create workspace · Watchdesk')
    await expect(chosen(page, 'Roles')).toHaveText(await api<string[]>('GET', 'config/available_roles'))
    await expect(chosen(page, 'Available case types')).toHaveText(JSON.parse(default_case_types ?? ''))
    await expect(chosen(page, 'Feature flags')).toHaveCount(0)
    await expect(chosen(page, 'PowerBI dashboards')).toHaveCount(0)
    await section(page, 'Advanced configuration').click()
    expect(default_stories_vectors_model).toBe('lexical')
    await expect(select(page, 'Stories vectors model')).toHaveValue('Lexical (built in)')
    await expect(field(page, 'Name')).toHaveValue('')
    await expect(select(page, 'Status')).toHaveValue('')
    await expect(field(analytical(page), 'Balance')).toHaveValue('')
    await expect(field(page, 'Trial end date')).toHaveCount(0)
  })

  test('every message; a folded section with an error opens, and the first wrong field has the focus', async ({
    page,
  }) => {
    await page.goto('/workspaces/create')
    await section(page, 'Quotas').click()
    await expect(analytical(page)).toHaveCount(0)
    await button(page, 'Create').click()
    await expectError(field(page, 'Name'), 'Workspace name is required!')
    await expect(field(page, 'Name')).toBeFocused()
    await expect(section(page, 'Quotas')).toHaveAttribute('aria-expanded', 'true')
    for (const [quota, name] of [
      [analytical(page), 'analytical_quota'],
      [ai(page), 'ai_quota'],
    ] as const) {
      await expectError(field(quota, 'Balance'), `${name}_balance is a required field`)
      await expectError(field(quota, 'Limit'), `${name}_limit is a required field`)
      await expectError(field(quota, 'Next renewal date'), `${name}_renewal_date is a required field`)
    }

    await field(page, 'Name').fill(unique('Summit'))
    await section(page, 'Quotas').click()
    await button(page, 'Create').click()
    await expect(field(analytical(page), 'Balance')).toBeFocused()

    await choose(page, 'Status', 'TRIAL')
    await button(page, 'Create').click()
    await expectError(field(page, 'Trial end date'), 'Trial end date is required!')
    await fillQuota(analytical(page), '1.5', '-1', '2027-02-31')
    await fillQuota(ai(page), 'many', '1', '2027-01-01')
    await button(page, 'Create').click()
    const whole = 'Must be a whole number, 0 or more.'
    await expectError(field(analytical(page), 'Balance'), whole)
    await expectError(field(analytical(page), 'Limit'), whole)
    await expectError(field(analytical(page), 'Next renewal date'), 'This date does not exist.')
    await expectError(field(ai(page), 'Balance'), whole)

    await fillQuota(analytical(page), '1', '2', '2027-02-28')
    await field(ai(page), 'Balance').fill('1')
    await button(page, 'Create').click()
    await expectError(field(page, 'Trial end date'), 'Trial end date is required!')
    await expect(field(page, 'Trial end date')).toBeFocused()

    await section(page, 'Advanced configuration').click()
    await field(page, 'Homepage').fill('x'.repeat(501))
    await section(page, 'Advanced configuration').click()
    await field(page, 'Trial end date').fill('2027-06-30')
    await button(page, 'Create').click()
    await expectError(field(page, 'Homepage'), 'At most 500 characters.')
    await expect(field(page, 'Homepage')).toBeFocused()
  })

  test('sends the whole body, days as T00:00:00 and dashboards by id, then offers to create its first user', async ({
    page,
    make,
    api,
  }) => {
    const dashboard = await make.dashboard()
    const name = unique('Northwind')
    await page.goto('/workspaces/create')
    await field(page, 'Name').fill(name)
    await field(page, 'Description').fill('Nordic narratives')
    await select(page, 'Status').click()
    await expect(options(page)).toHaveText(STATUSES)
    await options(page).getByText('TRIAL', { exact: true }).click()
    await button(page, 'Choose trial end date').click()
    await page.getByRole('button', { name: 'Next month' }).click()
    await dialog(page).getByRole('button', { name: /^15 / }).click()
    await expect(field(page, 'Trial end date')).toHaveValue(/^\d{4}-\d\d-15$/)
    const trialEnd = await field(page, 'Trial end date').inputValue()
    await fillQuota(analytical(page), '7250', '10,000', '2026-12-01')
    await expect(analytical(page)).toContainText('7,250 left of 10,000')
    await expect(field(analytical(page), 'Limit')).toHaveValue('10000')
    await fillQuota(ai(page), '0', '500', '2026-12-01')
    await select(page, 'Feature flags').fill('senti')
    await expect(options(page)).toHaveText(['sentiment'])
    await options(page).click()
    await select(page, 'PowerBI dashboards').fill(dashboard.name)
    await options(page).getByText(dashboard.name).click()
    await expect(chosen(page, 'PowerBI dashboards')).toHaveText([dashboard.name])
    await page.getByLabel('Clear available case types').click()

    await section(page, 'Advanced configuration').click()
    await field(page, 'Search term index override').fill('terms-2')
    await field(page, 'Vectorized index override').fill('vectors-2')
    await field(page, 'Homepage').fill('/cases')
    await field(page, 'Keywords parser class').fill('parsers.Ukrainian')
    await field(page, 'Language code').fill('uk')
    await slider(page, 'Search similarity threshold').press('End')
    await slider(page, 'Search similarity threshold').press('ArrowLeft')
    await expect(slider(page, 'Search similarity threshold')).toHaveAttribute('aria-valuetext', '0.95')
    await expect(page.getByText('0.95')).toBeVisible()
    await slider(page, 'Narratives similarity threshold').press('ArrowRight')
    await expect(slider(page, 'Narratives similarity threshold')).toHaveAttribute('aria-valuetext', '0.05')
    await button(page, 'Clear narratives similarity threshold').click()
    await expect(slider(page, 'Narratives similarity threshold')).toHaveAttribute('aria-valuetext', 'Not set')
    await expect(slider(page, 'Narratives similarity threshold')).toBeFocused()
    await page.getByRole('checkbox', { name: 'UCBI admin' }).check()
    await page.getByRole('checkbox', { name: 'Reporter-only user' }).check()

    const sent = nextWrite(page, 'POST')
    await button(page, 'Create').click()
    expect((await sent).body).toEqual({
      name,
      description: 'Nordic narratives',
      featureflags: ['sentiment'],
      roles: await api('GET', 'config/available_roles'),
      search_term_index_override: 'terms-2',
      vectorized_index_override: 'vectors-2',
      keywords_parser_class: 'parsers.Ukrainian',
      language: 'uk',
      is_ucbi_reporter: false,
      is_ucbi_admin: true,
      search_similarity_threshold: 0.95,
      narratives_similarity_threshold: null,
      is_reporter_only_user: true,
      stories_vectors_model: 'lexical',
      available_case_types: [],
      powerbi_dashboards: [dashboard.id],
      status: 'TRIAL',
      homepage: '/cases',
      trial_end_date: `${trialEnd}T00:00:00`,
      analytical_quota: { limit: 10_000, balance: 7_250, renewal_date: '2026-12-01T00:00:00' },
      ai_quota: { limit: 500, balance: 0, renewal_date: '2026-12-01T00:00:00' },
    })
    await expect(page).toHaveURL(/\/users\/create\?workspace_id=\d+$/)
    await expect(select(page, 'Workspace')).toHaveValue(name)
  })

  test('a rejected create shows the reason at its field and keeps the form', async ({ page, make, api, faults }) => {
    faults.allow(REFUSED)
    const { id, name } = await make.dashboard()
    await page.goto('/workspaces/create')
    await field(page, 'Name').fill(unique('Delta'))
    await fillQuota(analytical(page), '1', '2', '2027-01-01')
    await fillQuota(ai(page), '1', '2', '2027-01-01')
    await choose(page, 'PowerBI dashboards', name)
    await page.keyboard.press('Escape')
    await section(page, 'Access').click()
    await api('DELETE', `powerbi_dashboards/${id}`)
    await button(page, 'Create').click()
    const reason = `Dashboard ${id} does not exist.`
    await expect(toast(page)).toContainText(reason)
    await expectError(select(page, 'PowerBI dashboards'), reason)
    await expect(select(page, 'PowerBI dashboards')).toBeFocused()
    await expect(chosen(page, 'PowerBI dashboards')).toHaveText([name])
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Escape')
    await button(page, 'Create').click()
    await expect(page).toHaveURL(/\/users\/create/)
  })
})

test.describe('edit', () => {
  const FULL = {
    status: 'TRIAL',
    trial_end_date: '2027-06-30T00:00:00',
    analytical_quota: { limit: 10_000, balance: 7_250, renewal_date: '2026-12-01T00:00:00' },
    featureflags: ['sentiment'],
    roles: ['search', 'cases'],
    available_case_types: ['fraud'],
    search_term_index_override: 'terms-2',
    homepage: '/cases',
    search_similarity_threshold: 0.55,
    stories_vectors_model: 'lexical',
    language: 'uk',
    is_ucbi_reporter: true,
  }

  test('is titled with the name, prefilled with all it has, and goes to the view after saving', async ({
    page,
    make,
    api,
  }) => {
    const dashboard = await make.dashboard()
    const workspace = await make.workspace({ ...FULL, powerbi_dashboards: [dashboard.id] })
    await page.goto(`/workspaces/${workspace.id}/edit`)
    await expect(heading(page)).toHaveText(workspace.name)
    await expect(page).toHaveTitle(`${workspace.name} · Watchdesk`)
    await expect(field(page, 'Name')).toHaveValue(workspace.name)
    await expect(field(page, 'Description')).toHaveValue('Regional newsroom')
    await expect(select(page, 'Status')).toHaveValue('TRIAL')
    await expect(field(page, 'Trial end date')).toHaveValue('2027-06-30')
    await expect(field(analytical(page), 'Balance')).toHaveValue('7250')
    await expect(field(analytical(page), 'Limit')).toHaveValue('10000')
    await expect(field(analytical(page), 'Next renewal date')).toHaveValue('2026-12-01')
    await expect(chosen(page, 'Feature flags')).toHaveText(['sentiment'])
    await expect(chosen(page, 'Roles')).toHaveText(['search', 'cases'])
    await expect(chosen(page, 'Available case types')).toHaveText(['fraud'])
    await expect(chosen(page, 'PowerBI dashboards')).toHaveText([dashboard.name])
    await section(page, 'Advanced configuration').click()
    await expect(field(page, 'Search term index override')).toHaveValue('terms-2')
    await expect(field(page, 'Vectorized index override')).toHaveValue('')
    await expect(field(page, 'Homepage')).toHaveValue('/cases')
    await expect(field(page, 'Language code')).toHaveValue('uk')
    await expect(slider(page, 'Search similarity threshold')).toHaveAttribute('aria-valuetext', '0.55')
    await expect(slider(page, 'Narratives similarity threshold')).toHaveAttribute('aria-valuetext', 'Not set')
    await expect(page.getByRole('checkbox', { name: 'UCBI reporter' })).toBeChecked()
    await expect(page.getByText('Unsaved changes')).toHaveCount(0)

    await field(page, 'Description').fill('Brand safety desk')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    const sent = nextWrite(page, 'PUT')
    await button(page, 'Save').click()
    const { body, ifMatch } = await sent
    const { tags, ...config } = workspace.config
    expect(tags).toEqual([])
    const { name, status, trial_end_date, analytical_quota, ai_quota } = workspace
    const top = { name, status, trial_end_date, analytical_quota, ai_quota }
    expect(body).toEqual({ ...top, ...config, description: 'Brand safety desk' })
    expect(ifMatch).toBe(`"${workspace.version}"`)
    await expect(page).toHaveURL(`/workspaces/${workspace.id}`)
    await expect(page.getByText('Brand safety desk')).toBeVisible()
    const saved = await api<Workspace>('GET', `workspaces/${workspace.id}`)
    expect(saved.config.roles).toEqual(['search', 'cases'])
  })

  test('a trial end date in the past can be saved, and is warned of at its field, in the message and on the view', async ({
    page,
    make,
  }) => {
    const { id, name } = await make.workspace({ ...FULL, trial_end_date: '2027-06-30T00:00:00' })
    await page.goto(`/workspaces/${id}/edit`)
    const end = field(page, 'Trial end date')
    await expect(end).toHaveAccessibleDescription(
      'After this day (UTC), the trial is shown as ended. Its users keep their access.',
    )
    await end.fill('2025-06-30')
    await end.blur()
    await expect(end).toHaveAccessibleDescription(
      'This date is in the past. The trial has already ended. Its users keep their access.',
    )
    await button(page, 'Save').click()
    await expect(toast(page)).toHaveText(`Workspace ${name} saved. Its trial has already ended.`)
    await expect(page.getByText('ended on Jun 30, 2025')).toBeVisible()
  })

  test('the trial end date is there for TRIAL alone, and a change of status keeps it', async ({ page, make }) => {
    const { id } = await make.workspace(FULL)
    await page.goto(`/workspaces/${id}/edit`)
    await choose(page, 'Status', 'PAID_CLIENT')
    await expect(field(page, 'Trial end date')).toHaveCount(0)
    const sent = nextWrite(page, 'PUT')
    await button(page, 'Save').click()
    expect((await sent).body).toMatchObject({ status: 'PAID_CLIENT', trial_end_date: '2027-06-30T00:00:00' })
    await page.goto(`/workspaces/${id}/edit`)
    await page.getByLabel('Clear status').click()
    const cleared = nextWrite(page, 'PUT')
    await field(page, 'Name').press('Enter')
    expect((await cleared).body).toMatchObject({ status: null })
    await expect(page).toHaveURL(`/workspaces/${id}`)
  })

  test('unsaved changes are not lost without confirmation', async ({ page, make }) => {
    const { id, name } = await make.workspace()
    await page.goto(`/workspaces/${id}/edit`)
    await field(page, 'Name').fill('Half a na')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(dialog(page)).toHaveAccessibleName('Leave without saving?')
    await button(page, 'Stay').click()
    await expect(field(page, 'Name')).toHaveValue('Half a na')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await button(page, 'Leave').click()
    await expect(page).toHaveURL(`/workspaces/${id}`)
    await expect(heading(page)).toHaveText(name)
  })
})

test('another backend: fields at the top, missing quotas as 0, no versions, and its failures', async ({
  page,
  otherBackend,
  faults,
}) => {
  faults.allow(BROKEN)
  const respond = (call: string, body: unknown) => {
    otherBackend.responses[`GET /api/v1/${call}`] = { status: 200, body }
  }
  respond('users/me', { first_name: 'Ada', last_name: 'Kim', is_super_admin: true, workspace: { name: 'Civic' } })
  respond('config/all_roles', ['scout'])
  respond('config/all_featureflags', [])
  respond('config/case_types', ['fraud'])
  respond('config/vectorization_models', { Small: 'small-1' })
  respond('powerbi_dashboards/', { objects: [{ id: 4, name: 'Reach' }] })
  respond('workspaces/7', {
    id: 7,
    name: 'Elsewhere',
    roles: ['scout', 'retired'],
    powerbi_dashboards: [4, 5],
    analytical_quota: { renewal_date: '2027-01-01T00:00:00' },
    config: { stories_vectors_model: 'small-1', available_case_types: ['fraud'], tags: ['a'] },
  })
  await storeToken(page, otherBackend.url, 'any')
  await page.goto(`${otherBackend.url}/workspaces/7/edit`)
  await expect(heading(page)).toHaveText('Elsewhere')
  await expect(chosen(page, 'Roles')).toHaveText(['scout', 'retired'])
  await expect(chosen(page, 'PowerBI dashboards')).toHaveText(['Reach', 'Dashboard 5'])
  for (const quota of [analytical(page), ai(page)]) {
    await expect(field(quota, 'Balance')).toHaveValue('0')
    await expect(field(quota, 'Limit')).toHaveValue('0')
  }
  await field(ai(page), 'Next renewal date').fill('2027-01-01')

  otherBackend.responses['PUT /api/v1/workspaces/7'] = { status: 500, body: 'Oh no' }
  const sent = nextWrite(page, 'PUT')
  await button(page, 'Save').click()
  const { body, ifMatch } = await sent
  expect(ifMatch).toBeUndefined()
  expect(body).not.toHaveProperty('tags')
  expect(body).toMatchObject({ roles: ['scout', 'retired'], stories_vectors_model: 'small-1', status: null })
  expect(body).toMatchObject({ ai_quota: { limit: 0, balance: 0, renewal_date: '2027-01-01T00:00:00' } })
  await expect(toast(page)).toHaveText('Something went wrong')

  faults.allow(REFUSED)
  const wrong = { loc: ['body', 'homepage'], msg: 'No such page', type: 'value_error' }
  const detail = [wrong, { loc: ['body', 'name'], msg: 'Taken', type: 'value_error' }]
  otherBackend.responses['PUT /api/v1/workspaces/7'] = { status: 422, body: { detail } }
  await button(page, 'Save').click()
  await expect(toast(page).last()).toContainText('No such page\nTaken')
  await expectError(field(page, 'Name'), 'Taken')
  await expectError(field(page, 'Homepage'), 'No such page')
  await expect(field(page, 'Name')).toBeFocused()
})
