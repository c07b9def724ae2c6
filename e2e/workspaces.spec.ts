import { BROKEN, REFUSED } from './session-page.ts'
import { expect, storeToken } from './test.ts'
import { button, dialog, heading, PASSWORD, row, rows, test, toast, unique } from './workspaces-page.ts'

const PROMPT = 'Are you sure you want to delete this workspace?'
const REMOVED = 'Workspace removed successfully!'

test.describe('list', () => {
  test('has its columns, a dash for no status, badges for roles, and links to view, edit and create', async ({
    page,
    make,
  }) => {
    const roles = ['search', 'cases']
    const trial = await make.workspace({ status: 'TRIAL', trial_end_date: '2027-05-01T00:00:00', roles })
    const bare = await make.workspace({ description: '' })
    await page.goto('/workspaces?sort=-id')
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
    const cells = row(page, trial.name).getByRole('cell')
    await expect(cells).toHaveText(['', String(trial.id), trial.name, 'Regional newsroom', 'TRIAL', 'searchcases', ''])
    await expect(row(page, bare.name).getByRole('cell')).toHaveText(['', String(bare.id), bare.name, '', '–', '', ''])

    const link = (name: string) => page.getByRole('link', { name, exact: true })
    await expect(link(trial.name)).toHaveAttribute('href', `/workspaces/${trial.id}`)
    await expect(link(`Edit ${trial.name}`)).toHaveAttribute('href', `/workspaces/${trial.id}/edit`)
    await link(`View ${trial.name}`).click()
    await expect(page).toHaveURL(`/workspaces/${trial.id}`)
    await page.goBack()
    await link('Create workspace').click()
    await expect(page).toHaveURL('/workspaces/create')
  })

  test('the badges of all roles are shown, on as many lines as they need', async ({ page, make, api }) => {
    const roles = await api<string[]>('GET', 'config/all_roles')
    const { name } = await make.workspace({ roles })
    await page.goto(`/workspaces?search=${name}`)
    const cell = row(page, name).getByRole('cell').nth(5)
    for (const role of roles) await expect(cell.getByText(role, { exact: true })).toBeInViewport({ ratio: 1 })
    await expect(cell).toHaveText(roles.join(''))
  })

  test('page, search and sort are in the address; reload and back keep them', async ({ page, make }) => {
    const word = unique('harbor')
    for (let index = 10; index < 31; index += 1) await make.workspace({ name: `${word} ${index}` })
    await page.goto('/workspaces')
    await page.getByRole('searchbox', { name: 'Search name or description' }).fill(word)
    await expect(page).toHaveURL(`/workspaces?search=${word}`)
    await expect(page.getByText('21 workspaces')).toBeVisible()
    await expect(rows(page)).toHaveCount(20)
    await page.getByRole('button', { name: 'Name' }).click()
    await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
    await page.getByRole('button', { name: 'Name' }).click()
    await expect(rows(page).first()).toContainText(`${word} 30`)
    await page.getByRole('link', { name: 'Page 2' }).click()
    await expect(rows(page)).toHaveText([new RegExp(`${word} 10`)])
    await page.reload()
    await expect(rows(page)).toHaveText([new RegExp(`${word} 10`)])
    await page.goBack()
    await expect(rows(page)).toHaveCount(20)
    await page.getByRole('searchbox').fill(unique('nothing'))
    await expect(page.getByText('No workspaces match.')).toBeVisible()
    await button(page, 'Show all workspaces').click()
    await expect(page).toHaveURL(/^[^?]*\/workspaces(\?sort=-name)?$/)
  })

  test('a failed list shows an error and can be retried; roles may be next to the name', async ({
    page,
    otherBackend,
    faults,
  }) => {
    faults.allow(BROKEN)
    const me = { first_name: 'Ada', last_name: 'Kim', is_super_admin: true, workspace: { name: 'Civic' } }
    otherBackend.responses['GET /api/v1/users/me'] = { status: 200, body: me }
    otherBackend.responses['GET /api/v1/workspaces/'] = { status: 500, body: { detail: 'The shelf fell down.' } }
    await storeToken(page, otherBackend.url, 'any')
    await page.goto(`${otherBackend.url}/workspaces`)
    await expect(page.getByRole('alert')).toContainText('The shelf fell down.')
    const objects = [{ id: 7, name: 'Elsewhere', description: null, status: null, roles: ['scout'] }]
    otherBackend.responses['GET /api/v1/workspaces/'] = { status: 200, body: { objects, total: 1, size: 20 } }
    await button(page, 'Try again').click()
    await expect(rows(page).getByRole('cell')).toHaveText(['', '7', 'Elsewhere', '', '–', 'scout', ''])
  })
})

test.describe('delete', () => {
  test('the prompt counts who loses access; Undo brings back the workspace and its users', async ({ page, make }) => {
    const { id, name } = await make.workspace()
    for (let index = 0; index < 3; index += 1) await make.user(id)
    await page.goto(`/workspaces?search=${name}`)
    await button(page, `Delete ${name}`).click()
    await expect(dialog(page)).toHaveAccessibleName(PROMPT)
    await expect(dialog(page)).toContainText(`This deletes ${name} and its 3 users, who lose access immediately.`)
    await button(page, 'Cancel').click()
    await expect(row(page, name)).toBeVisible()

    await button(page, `Delete ${name}`).click()
    await button(dialog(page), 'Delete').click()
    await expect(toast(page)).toContainText(REMOVED)
    await expect(row(page, name)).toHaveCount(0)
    await expect(heading(page)).toBeFocused()
    await button(page, 'Undo').click()
    await expect(toast(page).filter({ hasText: 'restored' })).toHaveText(`Workspace ${name} restored.`)
    await expect(row(page, name)).toBeVisible()
    await page.goto(`/workspaces/${id}`)
    await expect(rows(page)).toHaveCount(3)
  })

  test('one user loses access, no user does', async ({ page, make }) => {
    const one = await make.workspace()
    await make.user(one.id)
    await page.goto(`/workspaces?search=${one.name}`)
    await button(page, `Delete ${one.name}`).click()
    await expect(dialog(page)).toContainText('and its only user, who loses access immediately.')
    const none = await make.workspace()
    await page.goto(`/workspaces?search=${none.name}`)
    await button(page, `Delete ${none.name}`).click()
    await expect(dialog(page)).toContainText('It has no users.')
  })

  test('a rejected delete shows the reason: your own workspace stays', async ({ page, faults }) => {
    faults.allow(REFUSED)
    await page.goto('/workspaces?search=Internal')
    await button(page, 'Delete Internal').click()
    await button(dialog(page), 'Delete').click()
    await expect(toast(page)).toContainText('You cannot delete your own workspace.')
    await expect(page.getByRole('table').getByRole('link', { name: 'Internal', exact: true })).toBeVisible()
  })
})

test.describe('view', () => {
  test('a quota says how much is left, in amber if that is little or more than the limit', async ({ page, make }) => {
    const amber = 'rgb(122, 75, 0)'
    for (const [balance, limit, text] of [
      [301, 900, '301 left of 900'],
      [90, 900, '90 left of 900Running low'],
      [0, 900, '0 left of 900Used up'],
      [0, 0, '0 left of 0'],
      [901, 900, '901 left of 900The balance is higher than the limit. Check both numbers.'],
    ] as const) {
      const ai_quota = { limit, balance, renewal_date: '2027-01-01T00:00:00' }
      const { id } = await make.workspace({ ai_quota })
      await page.goto(`/workspaces/${id}`)
      for (const path of [`/workspaces/${id}`, `/workspaces/${id}/edit`]) {
        if (path.endsWith('edit')) await page.getByRole('link', { name: 'Edit', exact: true }).click()
        await expect(page).toHaveURL(path)
        const quota = page
          .getByRole('main')
          .locator('div:has(> div > span)')
          .filter({ hasText: /^AI quota/ })
          .last()
        await expect(quota).toHaveText(`AI quota${text}`)
        const amount = quota.getByText(/ left of /).last()
        const isWarning = !text.endsWith(`of ${limit}`)
        if (isWarning) await expect(amount).toHaveCSS('color', amber)
        else await expect(amount).not.toHaveCSS('color', amber)
      }
    }
  })

  test('shows the workspace, its quotas and the users in it', async ({ page, make }) => {
    const workspace = await make.workspace({
      status: 'PAID_CLIENT',
      roles: ['search', 'cases'],
      featureflags: ['sentiment', 'public_api'],
      search_similarity_threshold: 0.55,
      keywords_parser_class: 'parsers.Ukrainian',
      is_ucbi_admin: true,
      analytical_quota: { limit: 10_000, balance: 7_250, renewal_date: '2026-12-01T00:00:00' },
    })
    const admin = await make.user(workspace.id, { is_admin: true, language: 'UK' })
    const plain = await make.user(workspace.id)
    await page.goto(`/workspaces/${workspace.id}`)
    await expect(heading(page)).toHaveText(workspace.name)
    await expect(page).toHaveTitle(`${workspace.name} · Watchdesk`)
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
    await expect(row(page, admin.email).getByRole('cell')).toHaveText([
      ...[String(admin.id), workspace.name, `Iryna ${admin.last_name}`, admin.email],
      ...['Workspace admin', 'STANDARD', 'Ukrainian', ''],
    ])
    await expect(row(page, plain.email)).toContainText('Auto')
    const edit = row(page, plain.email).getByRole('link', { name: /^Edit/ })
    await expect(edit).toHaveAttribute('href', `/users/${plain.id}/edit`)

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await expect(page).toHaveURL(`/workspaces/${workspace.id}/edit`)
    await page.goBack()
    await page.getByRole('link', { name: 'Create user' }).click()
    await expect(page).toHaveURL(`/users/create?workspace_id=${workspace.id}`)
    await expect(page.getByRole('combobox', { name: 'Workspace' })).toHaveValue(workspace.name)
  })

  test('a dash for empty values, and a link to create its first user', async ({ page, make }) => {
    const { id } = await make.workspace({ description: '' })
    await page.goto(`/workspaces/${id}`)
    const facts = ['–', '–', '–', '–', '–', '–', 'No', 'No', 'No']
    await expect(page.locator('dl dd')).toHaveText(facts)
    await expect(page.getByText('No users in this workspace yet.')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Create user' }).first().click()
    await expect(page).toHaveURL(`/users/create?workspace_id=${id}`)
  })

  test('pages and searches its users, and a user can be deleted from here', async ({ page, make }) => {
    const { id } = await make.workspace()
    const word = unique('many')
    for (let index = 10; index < 31; index += 1) await make.user(id, { last_name: `${word} ${index}` })
    await page.goto(`/workspaces/${id}?page=2`)
    await expect(page.getByText('21–21 of 21')).toBeVisible()
    await page.getByRole('button', { name: /^Delete Iryna/ }).click()
    await button(dialog(page), 'Delete').click()
    await expect(toast(page)).toContainText('User removed successfully!')
    // The last row of a page is gone: the page before is shown.
    await expect(rows(page)).toHaveCount(20)
    await expect(page.getByText('1–20 of 20')).toBeVisible()
    await expect(page).toHaveURL(`/workspaces/${id}`)
    await page.getByRole('searchbox', { name: 'Search name or email' }).fill(`${word} 12`)
    await expect(rows(page)).toHaveCount(1)
    await page.getByRole('searchbox').fill(unique('nobody'))
    await button(page, 'Show all users of this workspace').click()
    await expect(rows(page)).toHaveCount(20)
  })

  test('a missing workspace shows an error and links back to the list', async ({ page, faults }) => {
    faults.allow(REFUSED)
    for (const path of ['/workspaces/999999', '/workspaces/999999/edit']) {
      await page.goto(path)
      await expect(page.getByRole('alert')).toContainText('Workspace not found')
      await expect(button(page, 'Try again')).toHaveCount(0)
      await page.getByRole('link', { name: 'Back to workspaces' }).click()
      await expect(page).toHaveURL('/workspaces')
    }
  })
})

test('a workspace admin sees its own workspace, and no way to create, edit or delete one', async ({
  page,
  watchdesk,
  make,
}) => {
  const { id, name } = await make.workspace()
  await make.workspace()
  const { email } = await make.user(id, { is_admin: true })
  const response = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  const { access_token } = await response.json()
  await storeToken(page, watchdesk.url, access_token)
  await page.goto('/workspaces')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByText('1 workspace', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Iryna' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^(Edit|Create)/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  await page.getByRole('link', { name: `View ${name}` }).click()
  await expect(heading(page)).toHaveText(name)
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Create user' })).toBeVisible()
})
