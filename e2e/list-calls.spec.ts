import { isDeepStrictEqual } from 'node:util'
import { BROKEN, REFUSED } from './session-page.ts'
import { expect } from './test.ts'
import { button, dialog, row, rows, select, test, toast, unique } from './workspaces-page.ts'

const [USERS, WORKSPACES] = ['/api/v1/users/', '/api/v1/workspaces/']

test('page and page_size are sent with every call of the users and workspaces lists', async ({ page, make }) => {
  const { id } = await make.workspace()
  const queries: Record<string, string>[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const isList = pathname === USERS || pathname === WORKSPACES
    if (request.method() === 'GET' && isList) queries.push(Object.fromEntries(searchParams))
  })
  const [first, choices] = [
    { page: '1', page_size: '20' },
    { page: '1', page_size: '100' },
  ]
  for (const [path, list, query] of [
    ['/users', USERS, first],
    ['/users?search=a&page=1', USERS, { ...first, search: 'a' }],
    [`/workspaces/${id}`, USERS, { ...first, workspace_ids: String(id) }],
    ['/workspaces', WORKSPACES, first],
    ['/users/create', WORKSPACES, choices],
  ] as const) {
    const sent = page.waitForRequest((request) => {
      const { pathname, searchParams } = new URL(request.url())
      return pathname === list && isDeepStrictEqual(Object.fromEntries(searchParams), query)
    })
    await page.goto(path)
    await sent
  }
  expect(queries.filter((query) => !(query.page && query.page_size))).toEqual([])
})

test('a workspace can be deleted even if its users cannot be counted', async ({ page, make, faults }) => {
  faults.allow(BROKEN)
  const { name } = await make.workspace()
  await page.goto(`/workspaces?search=${name}`)
  await expect(row(page, name)).toBeVisible()
  await page.route('**/api/v1/users/?**', (route) => route.fulfill({ status: 503, json: { detail: 'Busy.' } }))
  await button(page, `Delete ${name}`).click()
  await expect(dialog(page)).toContainText('Are you sure you want to delete this workspace?')
  await expect(dialog(page)).toContainText(`This deletes ${name} and all its users, who lose access immediately.`)
  await button(dialog(page), 'Delete').click()
  await expect(toast(page)).toContainText('Workspace removed successfully!')
})

test('a workspace in the address that does not exist is reported, and another can be chosen', async ({
  page,
  make,
  faults,
}) => {
  faults.allow(REFUSED)
  const { name } = await make.workspace()
  const missing = 'This workspace does not exist. Choose another one.'
  for (const id of ['abc', '99999']) {
    await page.goto(`/users/create?workspace_id=${id}`)
    await expect(select(page, 'Workspace')).toHaveAccessibleDescription(missing)
    await select(page, 'Workspace').fill(name)
    await page.getByRole('option', { name, exact: true }).click()
    await expect(select(page, 'Workspace')).toHaveValue(name)
    await expect(page.getByText(missing)).toHaveCount(0)
  }

  // The selected workspace is not listed among search results that do not include it.
  const other = await make.workspace()
  await select(page, 'Workspace').fill(other.name)
  await expect(page.getByRole('option')).toHaveText([other.name])
})

test('invalid search params are not sent to the server', async ({ page }) => {
  for (const path of ['/users?page=x&workspace_id=abc&sort=secret', '/workspaces?page=-1&sort=x']) {
    await page.goto(path)
    await expect(rows(page).first()).toBeVisible()
  }
})

test('on a phone every row shows its ID, and a user the language', async ({ page, make }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const workspace = await make.workspace({ name: unique('Phone') })
  const user = await make.user(workspace.id)
  const dashboard = await make.dashboard()
  for (const [path, id, name] of [
    [`/users?search=${user.last_name}`, user.id, user.last_name],
    [`/workspaces?search=${workspace.name}`, workspace.id, workspace.name],
    [`/workspaces/${workspace.id}`, user.id, user.last_name],
    ['/dashboards', dashboard.id, dashboard.name],
  ] as const) {
    await page.goto(path)
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: name })
    const shown = card.getByText(`ID ${id}`, { exact: true })
    await expect(shown).toBeVisible()
    // Non-breaking: a dot stays with the text before it and never starts a line.
    const dot = await shown.evaluate((part) => getComputedStyle(part, '::after').content)
    expect(['none', '"\u00a0· "']).toContain(dot)
    if (name === user.last_name) await expect(card.getByText('Language Auto', { exact: true })).toBeVisible()
  }
})

test('on a phone no line of a card begins with a dot, however long the email is', async ({ page, make }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id } = await make.workspace()
  const word = unique('dot')
  const emails = Array.from({ length: 16 }, (_, more) => `${word}${'n'.repeat(more + 6)}@nordic-media.example`)
  for (const email of emails) await make.user(id, { email })
  await page.goto(`/users?workspace_id=${id}`)
  for (const email of emails) {
    const [dot, before] = await page.getByText(email).evaluate((part) =>
      [...part.getClientRects()]
        .filter(({ width }) => width > 0)
        .map(({ top, width }) => ({ top, isShort: width < 20 }))
        .reverse(),
    )
    expect([email, dot?.isShort && dot.top !== before?.top]).toEqual([email, false])
  }
})
