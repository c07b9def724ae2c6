import { listAuditEvents } from '@watchdesk/contract/activity'
import { currentUser } from '@watchdesk/contract/auth/session'
import * as catalog from '@watchdesk/contract/catalog'
import { listDashboards } from '@watchdesk/contract/dashboards'
import { getWebsiteConfig, WEBSITE_CONFIG_DEFAULTS } from '@watchdesk/contract/website-config'
import { createWorkspace, getWorkspace, updateWorkspace } from '@watchdesk/contract/workspaces'
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
  section,
  select,
  slider,
  toast,
} from '../workspaces-page.ts'
import { aDashboard, aWorkspace } from './records.ts'
import { answerList, expect, nextCall, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

const wrong = (name: string, msg: string) => ({ loc: ['body', name], msg, type: 'value_error' })

test.describe('create', () => {
  test('starts with the available roles, the default case types and the default model', async ({
    page,
    backend,
    open,
  }) => {
    backend.answer(catalog.allRoles, ['search', 'cases', 'ucbi'])
    backend.answer(catalog.availableRoles, ['search', 'cases'])
    backend.answer(catalog.vectorizationModels, { Small: 'small', 'Lexical (built in)': 'lexical' })
    backend.answer(getWebsiteConfig, {
      ...WEBSITE_CONFIG_DEFAULTS,
      default_case_types: '["spam"]',
      default_stories_vectors_model: 'lexical',
    })
    await open('/workspaces/create')
    await expect(heading(page)).toHaveText('Create workspace')
    await expect(page).toHaveTitle('Create workspace · Watchdesk')
    await expect(chosen(page, 'Roles')).toHaveText(['search', 'cases'])
    await expect(chosen(page, 'Available case types')).toHaveText(['spam'])
    await expect(chosen(page, 'Feature flags')).toHaveCount(0)
    await expect(chosen(page, 'PowerBI dashboards')).toHaveCount(0)
    await section(page, 'Advanced configuration').click()
    await expect(select(page, 'Stories vectors model')).toHaveValue('Lexical (built in)')
    await expect(field(page, 'Name')).toHaveValue('')
    await expect(select(page, 'Status')).toHaveValue('')
    await expect(field(analytical(page), 'Balance')).toHaveValue('')
    await expect(field(page, 'Trial end date')).toHaveCount(0)
  })

  test('every message; a folded section with an error opens, and the first wrong field has the focus', async ({
    page,
    open,
  }) => {
    await open('/workspaces/create')
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

    await field(page, 'Name').fill('Summit')
    await section(page, 'Quotas').click()
    await button(page, 'Create').click()
    await expect(field(analytical(page), 'Balance')).toBeFocused()

    await choose(page, 'Status', 'TRIAL')
    await button(page, 'Create').click()
    await expectError(field(page, 'Trial end date'), 'Trial end date is required!')
    await fillQuota(analytical(page), '1', '-1', '2027-02-31')
    await fillQuota(ai(page), '1', '1', '2027-01-01')
    await button(page, 'Create').click()
    await expectError(field(analytical(page), 'Limit'), 'Must be a whole number, 0 or more.')
    await expectError(field(analytical(page), 'Next renewal date'), 'This date does not exist.')

    await fillQuota(analytical(page), '1', '2', '2027-02-28')
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

  test('a rejected create shows the reason at its field and keeps the form', async ({ page, backend, open }) => {
    keepWorkspaces(backend)
    answerList(backend, listDashboards, [aDashboard()])
    const reason = 'Dashboard 5 does not exist.'
    backend.refuse(createWorkspace, 422, [wrong('powerbi_dashboards', reason)])
    await open('/workspaces/create')
    await field(page, 'Name').fill('Delta')
    await fillQuota(analytical(page), '1', '2', '2027-01-01')
    await fillQuota(ai(page), '1', '2', '2027-01-01')
    await choose(page, 'PowerBI dashboards', 'Reach')
    await page.keyboard.press('Escape')
    await section(page, 'Access').click()
    await button(page, 'Create').click()
    await expect(toast(page)).toContainText(reason)
    await expectError(select(page, 'PowerBI dashboards'), reason)
    await expect(select(page, 'PowerBI dashboards')).toBeFocused()
    await expect(chosen(page, 'PowerBI dashboards')).toHaveText(['Reach'])
    keepWorkspaces(backend)
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Escape')
    await button(page, 'Create').click()
    await expect(page).toHaveURL(/\/users\/create/)
    const sent = backend.calls(createWorkspace).map(({ body }) => body.powerbi_dashboards)
    expect(sent).toEqual([[5], []])
  })
})

test.describe('edit', () => {
  const TRIAL = aWorkspace({ status: 'TRIAL', trial_end_date: '2027-06-30T00:00:00' })

  test('is titled with the name, prefilled with all it has, sends all of it, and goes to the view after saving', async ({
    page,
    backend,
    open,
  }) => {
    answerList(backend, listDashboards, [aDashboard()])
    backend.answer(catalog.lifeCycle, { trial_end: 'show', quota_renewal: 'off' })
    const workspace = aWorkspace({
      ...{ status: 'TRIAL', trial_end_date: '2027-06-30T00:00:00' },
      analytical_quota: { limit: 10_000, balance: 7_250, renewal_date: '2026-12-01T00:00:00' },
      config: {
        featureflags: ['exports'],
        roles: ['analyst', 'editor'],
        available_case_types: ['fraud'],
        search_term_index_override: 'terms-2',
        homepage: '/cases',
        search_similarity_threshold: 0.55,
        stories_vectors_model: 'small',
        language: 'uk',
        is_ucbi_reporter: true,
        powerbi_dashboards: [5],
      },
    })
    keepWorkspaces(backend, workspace)
    await open('/workspaces/1/edit')
    await expect(heading(page)).toHaveText('Baltic')
    await expect(page).toHaveTitle('Baltic · Watchdesk')
    await expect(field(page, 'Name')).toHaveValue('Baltic')
    await expect(field(page, 'Description')).toHaveValue('Regional newsroom')
    await expect(select(page, 'Status')).toHaveValue('TRIAL')
    await expect(field(page, 'Trial end date')).toHaveValue('2027-06-30')
    await expect(field(analytical(page), 'Balance')).toHaveValue('7250')
    await expect(field(analytical(page), 'Limit')).toHaveValue('10000')
    await expect(field(analytical(page), 'Next renewal date')).toHaveValue('2026-12-01')
    await expect(chosen(page, 'Feature flags')).toHaveText(['exports'])
    await expect(chosen(page, 'Roles')).toHaveText(['analyst', 'editor'])
    await expect(chosen(page, 'Available case types')).toHaveText(['fraud'])
    await expect(chosen(page, 'PowerBI dashboards')).toHaveText(['Reach'])
    await section(page, 'Advanced configuration').click()
    await expect(field(page, 'Search term index override')).toHaveValue('terms-2')
    await expect(field(page, 'Vectorized index override')).toHaveValue('')
    await expect(field(page, 'Homepage')).toHaveValue('/cases')
    await expect(field(page, 'Language code')).toHaveValue('uk')
    await expect(slider(page, 'Search similarity threshold')).toHaveAttribute('aria-valuetext', '0.55')
    await expect(slider(page, 'Narratives similarity threshold')).toHaveAttribute('aria-valuetext', 'Not set')
    await expect(page.getByRole('checkbox', { name: 'UCBI reporter' })).toBeChecked()
    const automatic = 'Nothing happens automatically on this date.'
    await expect(field(ai(page), 'Next renewal date')).toHaveAccessibleDescription(automatic)
    await expect(page.getByText('Unsaved changes')).toHaveCount(0)

    await field(page, 'Description').fill('Brand safety desk')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(dialog(page)).toHaveAccessibleName('Leave without saving?')
    await button(page, 'Stay').click()
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    await button(page, 'Save').click()
    await expect(page).toHaveURL('/workspaces/1')
    await expect(page.getByText('Brand safety desk')).toBeVisible()
    const [{ body, headers } = {}] = backend.calls(updateWorkspace)
    const { tags: _, ...config } = workspace.config
    const { name, status, trial_end_date, analytical_quota, ai_quota } = workspace
    const top = { name, status, trial_end_date, analytical_quota, ai_quota }
    expect(body).toEqual({ ...top, ...config, description: 'Brand safety desk' })
    expect(headers?.['if-match']).toBe('"1"')
  })

  test('a trial end date in the past can be saved, and is warned of at its field, in the message and on the view', async ({
    page,
    backend,
    open,
  }) => {
    keepWorkspaces(backend, TRIAL)
    backend.answer(catalog.lifeCycle, { trial_end: 'show', quota_renewal: 'off' })
    await open('/workspaces/1/edit')
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
    await expect(toast(page)).toHaveText('Workspace Baltic saved. Its trial has already ended.')
    await expect(page.getByText('ended on Jun 30, 2025')).toBeVisible()
  })

  test('the trial end date is there for TRIAL alone, and a change of status keeps it', async ({
    page,
    backend,
    open,
  }) => {
    keepWorkspaces(backend, TRIAL)
    await open('/workspaces/1/edit')
    await choose(page, 'Status', 'PAID_CLIENT')
    await expect(field(page, 'Trial end date')).toHaveCount(0)
    const sent = nextCall(backend, updateWorkspace)
    await button(page, 'Save').click()
    expect((await sent)?.body).toMatchObject({ status: 'PAID_CLIENT', trial_end_date: '2027-06-30T00:00:00' })
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Clear status').click()
    const cleared = nextCall(backend, updateWorkspace)
    await field(page, 'Name').press('Enter')
    expect((await cleared)?.body).toMatchObject({ status: null })
  })
})

test('another backend: fields at the top, missing quotas as 0, no versions, and a failure', async ({
  page,
  backend,
  open,
}) => {
  const me = { first_name: 'Ada', last_name: 'Kim', is_super_admin: true, workspace: { name: 'Civic' } }
  backend.raw(currentUser, 200, me)
  backend.refuse(listAuditEvents, 404, 'Not Found')
  backend.answer(catalog.allRoles, ['scout'])
  backend.answer(catalog.allFeatureflags, [])
  backend.answer(catalog.caseTypes, ['fraud'])
  backend.answer(catalog.vectorizationModels, { Small: 'small-1' })
  backend.raw(listDashboards, 200, { objects: [{ id: 4, name: 'Reach' }] })
  backend.raw(getWorkspace, 200, {
    id: 7,
    name: 'Elsewhere',
    roles: ['scout', 'retired'],
    powerbi_dashboards: [4, 5],
    analytical_quota: { renewal_date: '2027-01-01T00:00:00' },
    config: { stories_vectors_model: 'small-1', available_case_types: ['fraud'], tags: ['a'] },
  })
  await open('/workspaces/7/edit')
  await expect(heading(page)).toHaveText('Elsewhere')
  await expect(chosen(page, 'Roles')).toHaveText(['scout', 'retired'])
  await expect(chosen(page, 'PowerBI dashboards')).toHaveText(['Reach', 'Dashboard 5'])
  for (const quota of [analytical(page), ai(page)]) {
    await expect(field(quota, 'Balance')).toHaveValue('0')
    await expect(field(quota, 'Limit')).toHaveValue('0')
  }
  await field(ai(page), 'Next renewal date').fill('2027-01-01')

  backend.raw(updateWorkspace, 500, 'Oh no')
  await button(page, 'Save').click()
  await expect(toast(page)).toHaveText('Something went wrong')
  const [{ body, headers } = {}] = backend.calls(updateWorkspace)
  expect(headers).not.toHaveProperty('if-match')
  expect(body).not.toHaveProperty('tags')
  expect(body).toMatchObject({ roles: ['scout', 'retired'], stories_vectors_model: 'small-1', status: null })
  expect(body).toMatchObject({ ai_quota: { limit: 0, balance: 0, renewal_date: '2027-01-01T00:00:00' } })
})
