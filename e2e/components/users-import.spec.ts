import { importUsers } from '@watchdesk/contract/users-import'
import { listWorkspaces } from '@watchdesk/contract/workspaces'
import { added, chip, download, line, text } from '../users-import-page.ts'
import { button, dialog, heading, select } from '../users-page.ts'
import { inline, workbook } from '../workbooks.ts'
import { type Backend, Refusal } from './backend.ts'
import { expect, nextCall, test } from './test.ts'
import { answerImport, answerUsers } from './users.ts'

const ADDRESS = '/users/import?workspace_id=1'

test.beforeEach(({ backend }) => answerUsers(backend, []))

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `Person${index} Last${index} <team${index}@example.com>`).join('\n')

const csvFile = (name: string, email: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`Name,Email\nAda Winter,${email}`),
})

/** The first call is answered, and the second one once it is released. */
function answerFirst(backend: Backend) {
  let release = () => {}
  const emails = answerImport(backend, (call) => {
    if (call === 1) release = backend.hold(importUsers)
  })
  return { emails, release: () => release() }
}

test('CSV and XLSX files are read, and their rows can be corrected', async ({ page, backend, open }) => {
  answerImport(backend)
  await open(ADDRESS)
  const file = page.getByLabel('Or a file')
  const csv = 'Surname;Given name;E-mail;Password\nWinter;Ada;one@example.com;secret\nReed;Marcus;wrong\n'
  await file.setInputFiles({ name: 'team.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(text(page)).toHaveValue('email,first_name,last_name\none@example.com,Ada,Winter\nwrong,Marcus,Reed')
  await expect(page.getByText('Columns that are not used: Password.')).toBeVisible()
  await expect(line(page, 'wrong')).toContainText('3')
  await expect(button(page, 'Add 1 user')).toBeEnabled()

  const rows = [inline('Full name', 'Email'), inline('Ivan Franko', 'two@example.com')]
  const buffer = workbook({ rows: rows.map((cells) => `<row>${cells}</row>`).join('') })
  await file.setInputFiles({ name: 'team.xlsx', mimeType: 'application/octet-stream', buffer })
  await expect(text(page)).toHaveValue('email,name\ntwo@example.com,Ivan Franko')
  await expect(line(page, 'two')).toContainText('Franko')
  await button(page, 'Add 1 user').click()
  await added(page, '1 user added')
  expect(backend.calls(importUsers)).toMatchObject([{ body: { name: 'team.xlsx' } }])
  await page.getByRole('link', { name: 'See the import' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave without the passwords?')
  await button(page, 'Leave').click()
  await expect(page).toHaveURL('/imports/1')
})

test('a file without emails, and more than a thousand people, are refused with the reason', async ({
  page,
  backend,
  open,
}) => {
  answerImport(backend)
  await open('/users/import')
  const file = page.getByLabel('Or a file')
  await file.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('Name,Phone\nAda,1\n') })
  await expect(file).toHaveAccessibleDescription(/The file has no column with emails/)
  for (const many of ['a@example.com\n'.repeat(1001), people(1001)]) {
    await text(page).fill(many)
    await expect(text(page)).toHaveAccessibleDescription(/These are 1,001 users\. Add at most 1,000 at a time/)
  }
  await expect(page.getByRole('status').filter({ hasText: 'No users can be added' })).toBeVisible()
  await expect(button(page, 'Add users')).toBeDisabled()
  await text(page).fill('Ada Winter <ada@example.com>')
  await button(page, 'Add 1 user').click()
  await expect(select(page, 'Workspace')).toHaveAccessibleDescription(/Workspace is required!/)
})

test('a file replaces written text only after a question, and leaves it when it is removed', async ({
  page,
  backend,
  open,
}) => {
  answerImport(backend)
  await open('/users/import')
  const file = page.getByLabel('Or a file')
  const [one, two] = [csvFile('one.csv', 'one@example.com'), csvFile('two.csv', 'two@example.com')]
  const written = 'Marcus Reed <written@example.com>'
  await text(page).fill(written)
  await file.setInputFiles(one)
  await expect(dialog(page)).toHaveAccessibleName('Replace the list?')
  await button(page, 'Keep editing').click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(text(page)).toHaveValue(written)
  await expect(page.getByText('one.csv')).toHaveCount(0)
  await file.setInputFiles(one)
  await button(page, 'Replace').click()
  await expect(text(page)).toHaveValue(/one@example\.com/)

  // Rows that nobody edited are replaced and removed without a question.
  await file.setInputFiles(two)
  await expect(text(page)).toHaveValue(/two@example\.com/)
  await button(page, 'Remove two.csv').click()
  await expect(text(page)).toHaveValue('')
  await file.setInputFiles(two)
  await expect(text(page)).toHaveValue(/two@example\.com/)
  const edited = `${await text(page).inputValue()}\nby.hand@example.com,By Hand`
  await text(page).fill(edited)
  await button(page, 'Remove two.csv').click()
  await expect(page.getByText('two.csv')).toHaveCount(0)
  await expect(text(page)).toHaveValue(edited)
})

for (const how of ['emptied first', 'replaced at once'] as const) {
  test(`other people pasted into a text that is ${how} are not imported as the file`, async ({
    page,
    backend,
    open,
  }) => {
    const emails = answerImport(backend)
    await open(ADDRESS)
    await page.getByLabel('Or a file').setInputFiles(csvFile('old.csv', 'old@example.com'))
    await expect(text(page)).toHaveValue(/old@example\.com/)
    if (how === 'emptied first') {
      await text(page).fill('')
      await expect(page.getByText('old.csv')).toHaveCount(0)
      await text(page).fill(people(1))
    } else {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), people(1))
      await text(page).selectText()
      await page.keyboard.press('ControlOrMeta+V')
    }
    await expect(text(page)).toHaveValue(people(1))
    await expect(page.getByText('old.csv')).toHaveCount(0)
    await button(page, 'Add 1 user').click()
    await added(page, '1 user added')
    expect(emails).toEqual(['team0@example.com'])
    expect(backend.calls(importUsers)[0]?.body.name).toBeUndefined()
    await download(page, 'CSV')
    await page.getByRole('link', { name: 'See the import' }).click()
    await expect(page).toHaveURL('/imports/1')
  })
}

test('adding stops after the rows under way when it is cancelled', async ({ page, backend, open }) => {
  const { emails, release } = answerFirst(backend)
  await open(ADDRESS)
  await text(page).fill(people(45))
  await button(page, 'Add 45 users').click()
  await expect(page.getByText('20 of 45 rows done')).toBeVisible()
  await button(page, 'Cancel').click()
  release()
  await added(page, '40 of 45 users added')
  await expect(chip(page, 'cancelled 5')).toBeVisible()
  expect(emails).toHaveLength(40)
  await button(page, 'Continue with 5 rows').click()
  await button(page, 'Add 5 users').click()
  await added(page, '5 users added')
  expect(new Set(emails).size).toBe(45)
})

test('leaving the page stops adding after the call under way', async ({ page, backend, open }) => {
  const { emails, release } = answerFirst(backend)
  await open(ADDRESS)
  await text(page).fill(people(65))
  await button(page, 'Add 65 users').click()
  await expect(page.getByText('20 of 65 rows done')).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Workspaces', exact: true }).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave while users are being added?')
  await button(page, 'Leave').click()
  await expect(heading(page)).toHaveText('Workspaces')
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('Atlas')
  // The lists are read again once it has stopped.
  const stopped = nextCall(backend, listWorkspaces)
  release()
  await stopped
  expect(emails).toHaveLength(40)
  expect(backend.calls(importUsers)).toHaveLength(2)
})

test('users of a call without an answer keep their passwords in the result', async ({ page, backend, open }) => {
  // The answers of the second call and its retries are lost.
  answerImport(backend, (call) => call > 1 && new Refusal(503, 'Busy.'))
  await open(ADDRESS)
  await text(page).fill(people(45))
  await page.getByRole('switch', { name: 'Workspace admin' }).check()
  await button(page, 'Add 45 users').click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Not all users could be added', { timeout: 30_000 })
  await button(page, 'Stop and show the result').click()
  await added(page, '20 of 45 users added')
  await expect(chip(page, 'not known 20')).toBeVisible()
  await expect(chip(page, 'cancelled 5')).toBeVisible()
  await expect(button(page, 'Correct 25 rows')).toBeVisible()

  const lines = (await download(page, 'CSV')).toString('utf8').split('\r\n')
  const [email, , password, outcome] = (lines[30] ?? '').split(',')
  expect([email, outcome]).toEqual(['team29@example.com', 'not known'])
  expect(password).toBe(backend.calls(importUsers)[1]?.body.rows[9]?.password)
  expect(password).toHaveLength(17)
  const [, , none, cancelled] = (lines[45] ?? '').split(',')
  expect([none, cancelled]).toEqual(['', 'cancelled'])
})

test('a call that fails is sent again and adds nobody twice', async ({ page, backend, open }) => {
  answerImport(backend, (call) => call === 1 && new Refusal(503, 'Busy.'))
  await open(ADDRESS)
  await text(page).fill(people(3))
  await button(page, 'Add 3 users').click()
  await added(page, '3 users added')
  const [first, again, ...others] = backend.calls(importUsers)
  expect(others).toEqual([])
  expect(first?.headers['idempotency-key']).toMatch(/./)
  expect(again?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
  expect(again?.body).toEqual(first?.body)
})
