import { vectorizationStatus, vectorizeNarrative } from '@watchdesk/contract/narratives-vectorization'
import { importStories } from '@watchdesk/contract/stories-import'
import { createUser, getUser, listUsers } from '@watchdesk/contract/users'
import { getWorkspace, listWorkspaces } from '@watchdesk/contract/workspaces'
import * as stories from '../stories-page.ts'
import { aUser, aWorkspace } from './records.ts'
import { answerList, expect, test } from './test.ts'

/** The console under a host name that is neither HTTPS nor localhost, as in an office network. */
test.use({
  hasOwnTab: true,
  baseURL: ({ startedBackend }, use) => use(startedBackend.url.replace('127.0.0.1', 'watchdesk.test')),
})

test('on plain http, stories are imported, and a date and the password of a new user are copied', async ({
  page,
  backend,
  open,
}) => {
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
  const date = '2026-11-16T09:30:00.000Z'
  backend.answer(importStories, { summaries: [stories.summary(1)] })
  backend.answer(vectorizeNarrative, { execution_date: date })
  backend.answer(vectorizationStatus, { status: 'success' })
  await open('/stories_import')
  await stories.file(page).setInputFiles(stories.storiesFile(stories.rowsOf(1, 2)))
  await stories.importButton(page).click()
  await expect(stories.lines(page)).toContainText('2 stories imported into narrative 1')

  await page.getByRole('link', { name: 'Vectorize narrative 1' }).click()
  await page.getByRole('button', { name: 'Trigger vectorization' }).click()
  const copy = page.getByRole('button', { name: 'Copy', exact: true })
  await copy.click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeFocused()
  await expect(page.getByRole('main').locator('code').first()).toHaveText(date)
  // Pasted like a user would.
  const executed = page.getByRole('textbox', { name: 'Execution date' })
  await executed.fill('')
  await executed.press('ControlOrMeta+v')
  await expect(executed).toHaveValue(date)

  const user = aUser({ first_name: 'Olena', last_name: 'Plain', email: 'plain@example.com' })
  answerList(backend, listWorkspaces, [aWorkspace()], getWorkspace)
  answerList(backend, listUsers, [user], getUser)
  backend.answer(createUser, user)
  await open('/users/create?workspace_id=1')
  await page.getByRole('button', { name: 'Generate' }).click()
  const password = await page.getByRole('textbox', { name: 'Password' }).inputValue()
  await page.getByRole('button', { name: 'Copy password' }).click()
  await expect(page.getByRole('button', { name: 'Password copied' })).toBeFocused()
  const field = page.getByRole('textbox', { name: 'First name' })
  await field.press('ControlOrMeta+v')
  await expect(field).toHaveValue(password)

  await field.fill('Olena')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Plain')
  await page.getByRole('textbox', { name: 'Email' }).fill('plain@example.com')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('button', { name: 'Copy password of Olena Plain' }).click()
  const search = page.getByRole('searchbox')
  await search.press('ControlOrMeta+v')
  await expect(search).toHaveValue(password)
})
