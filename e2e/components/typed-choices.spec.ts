import type { Page } from '@playwright/test'
import { listUsers } from '@watchdesk/contract/users'
import { getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import { expectError, field, select } from '../workspaces-page.ts'
import type { Backend } from './backend.ts'
import { aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'

const ATLAS = aWorkspace({ id: 1, name: 'Atlas' })
const VISTULA = aWorkspace({ id: 2, name: 'Vistula' })

function answerWorkspaces(backend: Backend, ...rows: ReturnType<typeof aWorkspace>[]) {
  answerList(backend, listWorkspaces, rows, getWorkspace)
}

test('a workspace typed by its name is chosen in the form of a user when the field is left, and on Enter', async ({
  page,
  backend,
  open,
}) => {
  answerWorkspaces(backend, ATLAS, VISTULA)
  const picker = select(page, 'Workspace')
  await open('/users/create')
  await typeName(page, 'Atlas')
  await page.keyboard.press('Tab')
  await expect(picker).toHaveValue('Atlas')
  await typeName(page, 'Vistula')
  await page.keyboard.press('Enter')
  await expect(picker).toHaveValue('Vistula')
  await page.keyboard.press('Enter')
  await expectError(field(page, 'First name'), 'First name is required!')
})

for (const key of ['Enter', 'Tab']) {
  test(`${key} filters the users by the workspace typed, and by none once the text is empty`, async ({
    page,
    backend,
    open,
  }) => {
    answerWorkspaces(backend, ATLAS, VISTULA)
    await open('/users')
    for (const { id, name } of [ATLAS, VISTULA]) {
      await typeName(page, name)
      await page.keyboard.press(key)
      await expect(page).toHaveURL(`/users?workspace_id=${id}`)
    }
    await select(page, 'Workspace').fill('')
    await page.keyboard.press(key)
    await expect(page).toHaveURL('/users')
    expect(backend.calls(listUsers).map(({ query }) => query.workspace_ids)).toContain('2')
  })
}

test('a name that two workspaces have is not chosen by typing it', async ({ page, backend, open }) => {
  answerWorkspaces(backend, ATLAS, aWorkspace({ id: 3, name: 'Atlas' }))
  await open('/users/create')
  await select(page, 'Workspace').fill('Atlas')
  await expect(page.getByRole('option')).toHaveText(['Atlas', 'Atlas'])
  await page.keyboard.press('Tab')
  await expect(select(page, 'Workspace')).toHaveValue('')
})

/** Types the name in another letter case, and waits until the list contains only matches. */
async function typeName(page: Page, name: string) {
  await select(page, 'Workspace').fill(name.toUpperCase())
  await expect(page.getByRole('option')).toHaveText([name])
}
