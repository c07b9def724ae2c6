import type { Page } from '@playwright/test'
import { currentUser } from '@watchdesk/contract/auth/session'
import { listUsers, type User } from '@watchdesk/contract/users'
import { button, row, rows, select } from '../workspaces-page.ts'
import type { Backend } from './backend.ts'
import { aUser, aWorkspace, ME } from './records.ts'
import { expect, test } from './test.ts'
import { ATLAS, answerUsers } from './users.ts'

const filters = (page: Page) => page.getByRole('search', { name: 'Filters' })
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
const found = (page: Page) => page.getByText(/^[\d,]+ users? found$/)

const ADMIN = aUser({ email: 'admin@example.com', is_admin: true, type: 'MODERATOR' })
const PLAIN = aUser({ id: 11, email: 'plain@example.com', language: 'UK' })

/** Filters the users as the server does. */
function answerFiltered(backend: Backend, users: User[]) {
  backend.answer(listUsers, ({ query: { role, type, language, workspace_ids } }) => {
    const objects = users.filter(
      (user) =>
        (role === undefined || (role === 'admin' && user.is_admin)) &&
        [undefined, user.type].includes(type as User['type']) &&
        [undefined, user.language].includes(language as User['language']) &&
        (!workspace_ids || workspace_ids.split(',').includes(String(user.workspace_id))),
    )
    return { objects, total: objects.length, size: 20 }
  })
}

async function choose(page: Page, label: string, option: string) {
  await button(page, 'Add filter').click()
  await filters(page).getByRole('button', { name: label, exact: true }).click()
  await filters(page).getByRole('option', { name: option, exact: true }).click()
}

test('by role, type and language', async ({ page, backend, open }) => {
  answerUsers(backend, [])
  answerFiltered(backend, [ADMIN, PLAIN])
  await open('/users?workspace_id=1')
  await choose(page, 'Role', 'Workspace admin')
  await expect(row(page, ADMIN.email)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await choose(page, 'Type', 'STANDARD')
  await expect(chips(page)).toHaveText(['Role: Workspace admin', 'Type: STANDARD'])
  await expect(page.getByText('No users match.')).toBeVisible()
  await button(page, 'Remove Role: Workspace admin').click()
  await choose(page, 'Language', 'Ukrainian')
  await expect(chips(page)).toHaveText(['Type: STANDARD', 'Language: Ukrainian'])
  await expect(row(page, PLAIN.email)).toContainText('Ukrainian')
  await button(page, 'Language: Ukrainian').click()
  await expect(filters(page).getByRole('option')).toHaveText(['English', 'Ukrainian', 'Auto'])
  const input = filters(page).getByRole('combobox', { name: 'Language' })
  await expect(input).toHaveAttribute('aria-expanded', 'true')
  const list = filters(page).getByRole('listbox', { name: 'Language' })
  await expect(input).toHaveAttribute('aria-controls', (await list.getAttribute('id')) ?? '')
  const popover = page.getByRole('dialog', { name: 'Language: Ukrainian', exact: true })
  await expect(popover).not.toHaveAttribute('aria-label')
  await page.keyboard.press('Escape')
  await button(page, 'Clear').click()
  await expect(page).toHaveURL('/users?workspace_id=1')
  await expect(found(page)).toHaveText('2 users found')
})

test('by the last sign-in, which has a column of its own, and locked accounts', async ({ page, backend, open }) => {
  answerUsers(backend, [])
  const objects = [
    { ...ADMIN, last_sign_in_at: new Date().toISOString() },
    { ...PLAIN, last_sign_in_at: null },
  ]
  backend.answer(listUsers, { objects, total: 2, size: 20 })
  const asked = () => backend.calls(listUsers).at(-1)?.query
  await open('/users?columns=email,last_sign_in_at')
  await expect(row(page, ADMIN.email)).toContainText('just now')
  await expect(row(page, PLAIN.email)).toContainText('Never')
  await button(page, 'Add filter').click()
  await filters(page).getByRole('button', { name: 'Last sign-in', exact: true }).click()
  await button(page, 'Never signed in').click()
  await expect(chips(page)).toHaveText(['Last sign-in: never'])
  await expect.poll(asked).toMatchObject({ sign_in: 'never' })
  await filters(page).getByRole('button', { name: 'Last sign-in: never', exact: true }).click()
  await filters(page).getByLabel('Signed in from').fill('2026-11-01')
  await expect.poll(asked).toMatchObject({ signed_in_from: '2026-11-01' })
  await filters(page).getByLabel('Signed in until').fill('2026-01-01')
  await expect(filters(page).getByText('The first day is after the last one.')).toBeVisible()
  await page.keyboard.press('Escape')
  await button(page, 'Clear').click()
  await button(page, 'Add filter').click()
  await filters(page).getByRole('button', { name: 'Locked', exact: true }).click()
  await expect(chips(page)).toHaveText(['Locked: yes'])
  await expect.poll(asked).toMatchObject({ locked: 'yes' })
})

test('several workspaces are found by name; the workspace select replaces them', async ({ page, backend, open }) => {
  const names = ['Several a', 'Several b', 'Several c']
  const workspaces = names.map((name, index) => aWorkspace({ id: index + 1, name }))
  answerUsers(backend, [], workspaces)
  answerFiltered(
    backend,
    workspaces.map(({ id }) => aUser({ id, workspace_id: id })),
  )
  await open('/users')
  await button(page, 'Add filter').click()
  await filters(page).getByRole('button', { name: 'Workspaces', exact: true }).click()
  await expect(filters(page).getByRole('textbox', { name: 'Workspaces' })).toBeFocused()
  for (const name of ['Several a', 'Several b']) {
    await filters(page).getByRole('textbox', { name: 'Workspaces' }).fill(name)
    await filters(page).getByRole('checkbox', { name }).check()
  }
  await expect(chips(page)).toHaveText(['Workspaces: Several a, Several b'])
  await expect(found(page)).toHaveText('2 users found')
  await page.keyboard.press('Escape')
  await expect(select(page, 'Workspace')).toHaveAttribute('placeholder', '2 workspaces')
  const { pathname, search } = new URL(page.url())
  await open(`${pathname}${search}`)
  await expect(found(page)).toHaveText('2 users found')

  await select(page, 'Workspace').fill('Several c')
  await page.getByRole('option', { name: 'Several c' }).click()
  await expect(page).toHaveURL('/users?workspace_id=3')
  await expect(chips(page)).toHaveCount(0)
  await expect(found(page)).toHaveText('1 user found')
})

test('a workspace admin filters the users of the own workspace, and sees no boxes', async ({ page, backend, open }) => {
  answerUsers(backend, [], [ATLAS])
  answerFiltered(backend, [ADMIN, PLAIN])
  backend.answer(currentUser, { ...ME, is_super_admin: false, is_admin: true })
  await open('/workspaces')
  await expect(row(page, 'Atlas')).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await open('/users')
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await choose(page, 'Role', 'Workspace admin')
  await expect(row(page, ADMIN.email)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await button(page, 'Add filter').click()
  await expect(filters(page).getByRole('button', { name: 'Type', exact: true })).toBeVisible()
  await expect(filters(page).getByRole('button', { name: 'Workspaces', exact: true })).toHaveCount(0)
})
