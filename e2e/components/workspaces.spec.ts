import { currentUser } from '@watchdesk/contract/auth/session'
import { allRoles } from '@watchdesk/contract/catalog'
import { deleteUser, listUsers } from '@watchdesk/contract/users'
import { deleteWorkspace, getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { button, dialog, heading, row, rows, toast } from '../workspaces-page.ts'
import { aUser, aWorkspace, ME } from './records.ts'
import { answerList, expect, test } from './test.ts'
import { keepWorkspaces } from './workspaces.ts'

test.describe('list', () => {
  test('has its columns, a dash for no status, badges for all roles, an order, and links to view, edit and create', async ({
    page,
    backend,
    open,
  }) => {
    const roles = ['search', 'narratives', 'cases', 'alerts', 'reports', 'moderation', 'ucbi', 'administration']
    backend.answer(allRoles, roles)
    const config = { roles }
    keepWorkspaces(
      backend,
      aWorkspace({ id: 31, name: 'Atlas', status: 'TRIAL', trial_end_date: '2027-05-01T00:00:00', config }),
      aWorkspace({ id: 32, name: 'Bare', description: '' }),
    )
    await open('/workspaces')
    await expect(page).toHaveTitle('Workspaces · Watchdesk')
    await expect(page.getByRole('columnheader')).toHaveText([
      'View',
      'ID',
      'Name',
      'Description',
      'Status',
      'Roles',
      'Actions',
    ])
    const cells = row(page, 'Atlas').getByRole('cell')
    await expect(cells).toHaveText(['', '31', 'Atlas', 'Regional newsroom', 'TRIAL', roles.join(''), ''])
    for (const role of roles) await expect(cells.nth(5).getByText(role, { exact: true })).toBeInViewport({ ratio: 1 })
    await expect(row(page, 'Bare').getByRole('cell')).toHaveText(['', '32', 'Bare', '', '–', '', ''])

    await button(page, 'Name').click()
    await expect(page).toHaveURL('/workspaces?sort=name')
    await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
    await expect.poll(() => backend.calls(listWorkspaces).at(-1)?.query).toMatchObject({ sort: 'name' })

    const link = (name: string) => page.getByRole('link', { name, exact: true })
    await expect(link('Atlas')).toHaveAttribute('href', '/workspaces/31')
    await expect(link('Edit Atlas')).toHaveAttribute('href', '/workspaces/31/edit')
    await link('View Atlas').click()
    await expect(page).toHaveURL('/workspaces/31')
    await page.goBack()
    await link('Create workspace').click()
    await expect(page).toHaveURL('/workspaces/create')
  })
})

test.describe('delete', () => {
  test('one user loses access, no user does; a rejected delete shows the reason: your own workspace stays', async ({
    page,
    backend,
    open,
  }) => {
    keepWorkspaces(backend, aWorkspace())
    answerList(backend, listUsers, [aUser()])
    await open('/workspaces')
    await button(page, 'Delete Baltic').click()
    await expect(dialog(page)).toContainText('and its only user, who loses access immediately.')

    answerList(backend, listUsers, [])
    backend.refuse(deleteWorkspace, 409, 'You cannot delete your own workspace.')
    await open('/workspaces')
    await button(page, 'Delete Baltic').click()
    await expect(dialog(page)).toContainText('It has no users.')
    await button(dialog(page), 'Delete').click()
    await expect(toast(page)).toContainText('You cannot delete your own workspace.')
    await expect(page.getByRole('table').getByRole('link', { name: 'Baltic', exact: true })).toBeVisible()
  })
})

test.describe('view', () => {
  test('a quota says how much is left, in amber if that is little or more than the limit', async ({
    page,
    backend,
    open,
  }) => {
    const amber = 'rgb(122, 75, 0)'
    const amount = page.getByText(/ left of /).last()
    for (const [balance, limit, text] of [
      [90, 900, '90 left of 900Running low'],
      [0, 0, '0 left of 0'],
      [901, 900, '901 left of 900The balance is higher than the limit. Check both numbers.'],
    ] as const) {
      keepWorkspaces(backend, aWorkspace({ ai_quota: { limit, balance, renewal_date: '2027-01-01T00:00:00' } }))
      await open('/workspaces/1')
      const quota = page
        .getByRole('main')
        .locator('div:has(> div > span)')
        .filter({ hasText: /^AI quota/ })
        .last()
      await expect(quota).toHaveText(`AI quota${text}`)
      const isWarning = !text.endsWith(`of ${limit}`)
      if (isWarning) await expect(amount).toHaveCSS('color', amber)
      else await expect(amount).not.toHaveCSS('color', amber)
    }
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await expect(page.getByText('The balance is higher than the limit. Check both numbers.')).toBeVisible()
    await expect(amount).toHaveCSS('color', amber)
  })

  test('shows the workspace, its quotas and the users in it', async ({ page, backend, open }) => {
    keepWorkspaces(
      backend,
      aWorkspace({
        status: 'PAID_CLIENT',
        analytical_quota: { limit: 10_000, balance: 7_250, renewal_date: '2026-12-01T00:00:00' },
        config: {
          roles: ['search', 'cases'],
          featureflags: ['sentiment', 'public_api'],
          search_similarity_threshold: 0.55,
          keywords_parser_class: 'parsers.Ukrainian',
          is_ucbi_admin: true,
        },
      }),
    )
    answerList(backend, listUsers, [
      aUser({ id: 10, email: 'admin@example.com', is_admin: true, language: 'UK' }),
      aUser({ id: 11, email: 'plain@example.com' }),
    ])
    await open('/workspaces/1')
    await expect(heading(page)).toHaveText('Baltic')
    await expect(page).toHaveTitle('Baltic · Watchdesk')
    const fact = (label: string) =>
      page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).locator('dd')
    await expect(fact('Description')).toHaveText('Regional newsroom')
    await expect(fact('Status')).toHaveText('PAID_CLIENT')
    await expect(fact('Roles')).toHaveText('searchcases')
    await expect(fact('Feature flags')).toHaveText('sentimentpublic_api')
    await expect(fact('Search similarity threshold')).toHaveText('0.55')
    await expect(fact('Keywords parser class')).toHaveText('parsers.Ukrainian')
    await expect(fact('UCBI admin')).toHaveText('Yes')
    await expect(fact('UCBI reporter')).toHaveText('No')
    await expect(fact('Reporter-only user')).toHaveText('No')
    await expect(page.getByText('7,250 left of 10,000')).toBeVisible()
    await expect(page.getByText('Renews on Dec 1, 2026')).toBeVisible()

    const headings = ['ID', 'Workspace', 'Full Name', 'Email', 'Roles', 'Type', 'Language', 'Actions']
    await expect(page.getByRole('columnheader')).toHaveText(headings)
    await expect(row(page, 'admin@example.com').getByRole('cell')).toHaveText([
      ...['10', 'Baltic', 'Iryna Shevchuk', 'admin@example.com'],
      ...['Workspace admin', 'STANDARD', 'Ukrainian', ''],
    ])
    await expect(row(page, 'plain@example.com')).toContainText('Auto')
    const edit = row(page, 'plain@example.com').getByRole('link', { name: /^Edit/ })
    await expect(edit).toHaveAttribute('href', '/users/11/edit')

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await expect(page).toHaveURL('/workspaces/1/edit')
    await page.goBack()
    await page.getByRole('link', { name: 'Create user' }).click()
    await expect(page).toHaveURL('/users/create?workspace_id=1')
    await expect(page.getByRole('combobox', { name: 'Workspace' })).toHaveValue('Baltic')
  })

  test('a dash for empty values; a workspace admin has no filters, and no way to create, edit or delete a workspace', async ({
    page,
    backend,
    open,
  }) => {
    backend.answer(currentUser, { ...ME, is_super_admin: false, is_admin: true })
    keepWorkspaces(backend, aWorkspace({ description: '' }))
    await open('/workspaces')
    await expect(button(page, 'Columns')).toBeVisible()
    await expect(button(page, 'Add filter')).toHaveCount(0)
    await expect(page.getByRole('link', { name: /^(Edit|Create)/ })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
    await page.getByRole('link', { name: 'View Baltic' }).click()
    await expect(heading(page)).toHaveText('Baltic')
    const facts = ['–', '–', '–', '–', '–', '–', 'No', 'No', 'No']
    await expect(page.locator('dl dd')).toHaveText(facts)
    await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0)
    await expect(page.getByText('No users in this workspace yet.')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Create user' }).first().click()
    await expect(page).toHaveURL('/users/create?workspace_id=1')
  })

  test('pages and searches its users, and a user can be deleted from here', async ({ page, backend, open }) => {
    keepWorkspaces(backend, aWorkspace())
    const users = Array.from({ length: 21 }, (_, index) => aUser({ id: 70 + index, last_name: `Melnyk ${10 + index}` }))
    answerList(backend, listUsers, users)
    backend.answer(deleteUser, ({ params }) => {
      expect(params.id).toBe('90')
      users.pop()
    })
    await open('/workspaces/1?page=2')
    await expect(page.getByText('21–21 of 21')).toBeVisible()
    await page.getByRole('button', { name: /^Delete Iryna/ }).click()
    await button(dialog(page), 'Delete').click()
    await expect(toast(page)).toContainText('User removed successfully!')
    // The last row of a page is gone: the page before is shown.
    await expect(rows(page)).toHaveCount(20)
    await expect(page.getByText('1–20 of 20')).toBeVisible()
    await expect(page).toHaveURL('/workspaces/1')
    await page.getByRole('searchbox', { name: 'Search name or email' }).fill('Melnyk 12')
    await expect(rows(page)).toHaveCount(1)
    await page.getByRole('searchbox').fill('nobody')
    await button(page, 'Show all users of this workspace').click()
    await expect(rows(page)).toHaveCount(20)
    for (const { query } of backend.calls(listUsers)) expect(query.workspace_ids).toBe('1')
  })

  test('a missing workspace shows an error and links back to the list', async ({ page, backend, open }) => {
    backend.refuse(getWorkspace, 404, 'Workspace not found.')
    for (const path of ['/workspaces/999999', '/workspaces/999999/edit']) {
      await open(path)
      await expect(page.getByRole('main').getByRole('alert')).toContainText('Workspace not found')
      await expect(button(page, 'Try again')).toHaveCount(0)
      await page.getByRole('link', { name: 'Back to workspaces' }).click()
      await expect(page).toHaveURL('/workspaces')
    }
  })
})
