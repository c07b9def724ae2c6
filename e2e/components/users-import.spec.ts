import { currentUser } from '@watchdesk/contract/auth/session'
import { findUsers, importUsers } from '@watchdesk/contract/users-import'
import { listWorkspaces } from '@watchdesk/contract/workspaces'
import { added, chip, download, line, preview, text } from '../users-import-page.ts'
import { button, dialog, heading, select } from '../users-page.ts'
import { inline, workbook } from '../workbooks.ts'
import { type Backend, Refusal } from './backend.ts'
import { ME } from './records.ts'
import { expect, nextCall, test } from './test.ts'
import { ATLAS, answerImport, answerUsers } from './users.ts'

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

test('CSV and XLSX files are read; a file without emails, and more than a thousand people, are refused with the reason', async ({
  page,
  backend,
  open,
}) => {
  answerImport(backend)
  await open(ADDRESS)
  const file = page.getByLabel('Or a file')
  await file.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('Name,Phone\nAda,1\n') })
  await expect(file).toHaveAccessibleDescription(/The file has no column with emails/)
  // In one line: as many lines take seconds to fill in.
  await text(page).fill('a@example.com,'.repeat(1001))
  await expect(text(page)).toHaveAccessibleDescription(/These are 1,001 users\. Add at most 1,000 at a time/)
  await expect(page.getByRole('status').filter({ hasText: 'No users can be added' })).toBeVisible()
  await expect(button(page, 'Add users')).toBeDisabled()
  await text(page).fill('')

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
  await button(page, 'Add 1 user').click()
  await added(page, '1 user added')
  expect(backend.calls(importUsers)).toMatchObject([{ body: { name: 'team.xlsx' } }])
  await page.getByRole('link', { name: 'See the import' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave without the passwords?')
  await button(page, 'Leave').click()
  await expect(page).toHaveURL('/imports/1')
})

test('every row says what is wrong with it, and the rest is added; then the others are corrected', async ({
  page,
  backend,
  open,
}) => {
  const emails = answerImport(backend)
  const known = { id: 10, email: 'known@example.com', name: 'Iryna Shevchuk', workspace: { id: 1, name: 'Atlas' } }
  backend.answer(findUsers, { objects: [known] })
  await open(ADDRESS)
  await button(page, 'Add users').click()
  await expect(text(page)).toHaveAccessibleDescription(/Enter at least one email\./)
  await text(page).fill(
    [
      'Ada Winter <first@example.com>',
      'olena.bondar@example.com',
      '"Reed, Marcus" <FIRST@example.com>',
      'Known Person <known@example.com>',
      'No Email <nobody>',
      'mononym@example.com',
    ].join('\n'),
  )
  await expect(line(page, 'olena.')).toContainText('The name is taken from the email.')
  await expect(line(page, 'Reed')).toContainText('Row 1 has the same email.')
  await expect(line(page, 'Known')).toContainText('Iryna Shevchuk in Atlas has this email.')
  await expect(line(page, 'nobody')).toContainText('Email must be a valid email address.')
  await expect(line(page, 'mononym')).toContainText('First name is required!')
  await expect(page.getByRole('status').filter({ hasText: '2 of 6 can be added' })).toBeVisible()
  await chip(page, 'invalid email 1').click()
  await expect(preview(page).getByRole('row')).toHaveCount(2)
  await button(page, 'Add 2 users').click()
  // The user who had the email was deleted meanwhile.
  await added(page, '3 of 6 users added')
  await download(page, 'CSV')

  await button(page, 'Correct 3 rows').click()
  await expect(text(page)).toHaveValue(/nobody/)
  await expect(text(page)).not.toHaveValue(/Ada Winter/)
  await text(page).fill((await text(page).inputValue()).replace('nobody', 'corrected@example.com'))
  await expect(line(page, 'corrected')).toContainText('ready')
  await button(page, 'Add 2 users').click()
  await added(page, '2 of 3 users added')
  expect(emails).toContain('corrected@example.com')
})

test('a workspace admin adds people to the own workspace, by keyboard and on a phone', async ({
  page,
  backend,
  open,
}) => {
  answerImport(backend)
  answerUsers(backend, [], [ATLAS])
  backend.answer(currentUser, { ...ME, is_super_admin: false, is_admin: true, workspace_id: ATLAS.id })
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/users/create')
  await expect(select(page, 'Workspace')).toHaveValue('Atlas')
  await page.getByRole('link', { name: 'Add many users' }).press('Enter')
  await expect(heading(page)).toHaveText('Add many users')
  await expect(select(page, 'Workspace')).toHaveValue('Atlas')
  await expect(select(page, 'Workspace')).toBeDisabled()
  await expect(text(page)).toHaveAccessibleDescription(
    /Some emails may turn out to be in use only when they are added\./,
  )
  await text(page).focus()
  await page.keyboard.insertText(people(1))
  await button(page, 'Add 1 user').press('Enter')
  await added(page, '1 user added')
  await expect(page.getByRole('link', { name: 'See the import' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to Users' }).click()
  await button(page, 'Stay').click()
  await download(page, 'CSV')
  await page.getByRole('link', { name: 'Go to Users' }).click()
  await expect(page).toHaveURL('/users')
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
  await button(page, 'Add 2 users').click()
  await expect(select(page, 'Workspace')).toHaveAccessibleDescription(/Workspace is required!/)
})

test('other people pasted into a text that is emptied first, or replaced at once, are not imported as the file', async ({
  page,
  backend,
  open,
}) => {
  const emails = answerImport(backend)
  await open(ADDRESS)
  const attach = async () => {
    await page.getByLabel('Or a file').setInputFiles(csvFile('old.csv', 'old@example.com'))
    await expect(text(page)).toHaveValue(/old@example\.com/)
  }
  await attach()
  await text(page).fill('')
  await expect(page.getByText('old.csv')).toHaveCount(0)
  await attach()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), people(1))
  await text(page).selectText()
  await page.keyboard.press('ControlOrMeta+V')
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

test('adding stops after the call under way when it is cancelled, and when the page is left', async ({
  page,
  backend,
  open,
}) => {
  const { emails, release } = answerFirst(backend)
  await open(ADDRESS)
  await text(page).fill(people(41))
  await button(page, 'Add 41 users').click()
  await expect(page.getByText('20 of 41 rows done')).toBeVisible()
  await button(page, 'Cancel').click()
  release()
  await added(page, '40 of 41 users added')
  await expect(chip(page, 'cancelled 1')).toBeVisible()
  expect(emails).toHaveLength(40)
  await button(page, 'Continue with 1 row').click()

  await text(page).fill(people(41))
  const again = backend.hold(importUsers)
  await button(page, 'Add 41 users').click()
  await page.getByRole('navigation').getByRole('link', { name: 'Workspaces', exact: true }).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave while users are being added?')
  await button(page, 'Leave').click()
  await expect(heading(page)).toHaveText('Workspaces')
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('Atlas')
  // The lists are read again once it has stopped.
  const stopped = nextCall(backend, listWorkspaces)
  again()
  await stopped
  expect(backend.calls(importUsers)).toHaveLength(3)
})

test('users of a call without an answer keep their passwords in the result; it was sent again with the same key', async ({
  page,
  backend,
  open,
}) => {
  // The answers of the second call and its retries are lost.
  answerImport(backend, (call) => call > 1 && new Refusal(503, 'Busy.'))
  await page.clock.install()
  await open(ADDRESS)
  await text(page).fill(people(41))
  await page.getByRole('switch', { name: 'Workspace admin' }).check()
  await button(page, 'Add 41 users').click()
  await expect(async () => {
    await page.clock.fastForward(4_000)
    expect(await page.getByRole('heading', { level: 2 }).innerText()).toBe('Not all users could be added')
  }).toPass()
  const [, first, ...others] = backend.calls(importUsers)
  expect(first?.headers['idempotency-key']).toMatch(/./)
  expect(others).toHaveLength(2)
  for (const again of others) {
    expect(again.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
    expect(again.body).toEqual(first?.body)
  }
  await button(page, 'Stop and show the result').click()
  await added(page, '20 of 41 users added')
  await expect(chip(page, 'not known 20')).toBeVisible()
  await expect(chip(page, 'cancelled 1')).toBeVisible()
  await expect(button(page, 'Correct 21 rows')).toBeVisible()

  const lines = (await download(page, 'CSV')).toString('utf8').split('\r\n')
  const [email, , password, outcome] = (lines[30] ?? '').split(',')
  expect([email, outcome]).toEqual(['team29@example.com', 'not known'])
  expect(password).toBe(first?.body.rows[9]?.password)
  expect(password).toHaveLength(17)
  const [, , none, cancelled] = (lines[41] ?? '').split(',')
  expect([none, cancelled]).toEqual(['', 'cancelled'])
})
