import { expect } from './test.ts'
import {
  ai,
  analytical,
  button,
  chosen,
  dialog,
  field,
  fillQuota,
  options,
  section,
  select,
  slider,
  test,
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

test('create sends the whole body, days as T00:00:00 and dashboards by id, then offers to create its first user', async ({
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

  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/workspaces/'))
  await button(page, 'Create').click()
  expect((await sent).postDataJSON()).toEqual({
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
