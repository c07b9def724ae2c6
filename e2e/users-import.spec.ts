import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { hold } from './hold.ts'
import { PASSWORD, seed, unique } from './seed.ts'
import { BROKEN } from './session-page.ts'
import { expect, signIn, storeToken, test } from './test.ts'
import { button, dialog, heading, select } from './users-page.ts'
import { inline, workbook } from './workbooks.ts'

const text = (page: Page) => page.getByRole('textbox', { name: 'Emails and names' })
const preview = (page: Page) => page.getByRole('grid', { name: 'People to add' })
const result = (page: Page) => page.getByRole('grid', { name: 'Result' })
const line = (page: Page, words: string) => preview(page).getByRole('row').filter({ hasText: words })
const chip = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Filter by outcome' }).getByRole('button', { name, exact: true })
const added = (page: Page, words: string) => expect(page.getByRole('heading', { level: 2 })).toHaveText(words)

/** Lines with people who exist nowhere else. */
function people(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const name = unique('team')
    return { email: `${name}@example.com`, line: `Person${index} Last${index} <${name}@example.com>` }
  })
}

async function download(page: Page, format: 'CSV' | 'XLSX') {
  const started = page.waitForEvent('download')
  await button(page, `Download result as ${format}`).click()
  const file = await started
  expect(file.suggestedFilename()).toMatch(
    new RegExp(`^new-users-with-passwords-\\d{4}-\\d{2}-\\d{2}\\.${format.toLowerCase()}$`),
  )
  return readFile(await file.path())
}

async function count(page: Page, token: string, workspace_id: number) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await page.request.get(`/api/v1/users/?workspace_ids=${workspace_id}`, { headers })
  return (await response.json()).total
}

test('30 pasted people are added from the users list, and sign in with the passwords of the file', async ({
  page,
  watchdesk,
}) => {
  const { workspace, token } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Team'))
  const team = people(30)
  await page.goto('/users')
  await page.getByRole('link', { name: 'Add many users' }).click()
  await expect(heading(page)).toHaveText('Add many users')
  await text(page).fill(team.map((person) => person.line).join('\n'))
  await select(page, 'Workspace').fill(name)
  await page.getByRole('option', { name }).click()
  await page.getByRole('switch', { name: 'Workspace admin' }).check()
  await expect(line(page, team[0]?.email ?? '')).toContainText('Person0')
  await expectAccessible(page)
  await button(page, 'Add 30 users').click()
  await added(page, '30 users added')
  await expectAccessible(page)

  const csv = (await download(page, 'CSV')).toString('utf8')
  const lines = csv.split('\r\n').slice(0, -1)
  expect(lines[0]).toBe('\ufeffemail,name,password,outcome,reason')
  expect(lines).toHaveLength(31)
  const [email = '', , password = ''] = (lines[7] ?? '').split(',')
  expect(email).toBe(team[6]?.email)
  expect(password).toHaveLength(17)
  const login = await page.request.post('/api/v1/login', { data: { email, password } })
  expect(login.status()).toBe(200)
  expect((await download(page, 'XLSX')).subarray(0, 2).toString()).toBe('PK')

  // No password is left anywhere but on the page.
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href)
  expect(stored).not.toContain(password)
  await page.getByRole('link', { name: 'See the import' }).click()
  await expect(heading(page)).toHaveText('Users import')
  await expect(page.getByRole('main')).toContainText('Added 30 users')
  await expect(button(page, 'Undo import')).toBeVisible()
  expect(await count(page, token, id)).toBe(30)
})

test('every row says what is wrong with it, and the rest is added; then the others are corrected', async ({
  page,
  watchdesk,
}) => {
  const { workspace, user, token } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Errors'))
  const { email: known, last_name } = await user(id)
  const [first, guessed] = [unique('first'), unique('last')]
  await page.goto(`/users/import?workspace_id=${id}`)
  await button(page, 'Add users').click()
  await expect(text(page)).toHaveAccessibleDescription(/Enter at least one email\./)
  await text(page).fill(
    [
      `Ada Winter <${first}@example.com>`,
      `olena.${guessed}@example.com`,
      `"Reed, Marcus" <${first.toUpperCase()}@example.com>`,
      `Known Person <${known}>`,
      'No Email <nobody>',
      `${unique('mononym')}@example.com`,
    ].join('\n'),
  )
  await expect(line(page, 'olena.')).toContainText('The name is taken from the email.')
  await expect(line(page, 'Reed')).toContainText('Row 1 has the same email.')
  await expect(line(page, known)).toContainText(`Iryna ${last_name} in ${name} has this email.`)
  await expect(line(page, 'nobody')).toContainText('Email must be a valid email address.')
  await expect(line(page, 'mononym')).toContainText('First name is required!')
  await expect(page.getByRole('status').filter({ hasText: '2 of 6 can be added' })).toBeVisible()
  await chip(page, 'invalid email 1').click()
  await expect(preview(page).getByRole('row')).toHaveCount(2)
  await button(page, 'Add 2 users').click()
  await added(page, '2 of 6 users added')
  await expect(result(page).getByRole('row').filter({ hasText: 'nobody' })).toContainText('invalid email')
  await download(page, 'CSV')

  await button(page, 'Correct 4 rows').click()
  await expect(text(page)).toHaveValue(/nobody/)
  await expect(text(page)).not.toHaveValue(/Ada Winter/)
  const corrected = unique('corrected')
  await text(page).fill((await text(page).inputValue()).replace('nobody', `${corrected}@example.com`))
  await button(page, 'Add 1 user').click()
  await added(page, '1 of 4 users added')
  expect(await count(page, token, id)).toBe(4)
})

test('CSV and XLSX files are read, and their rows can be corrected', async ({ page, watchdesk }) => {
  const { workspace } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Files'))
  const [one, two] = [unique('csv'), unique('xlsx')]
  await page.goto(`/users/import?workspace_id=${id}`)
  const file = page.getByLabel('Or a file')
  const csv = `Surname;Given name;E-mail;Password\nWinter;Ada;${one}@example.com;secret\nReed;Marcus;wrong\n`
  await file.setInputFiles({ name: 'team.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(text(page)).toHaveValue(`email,first_name,last_name\n${one}@example.com,Ada,Winter\nwrong,Marcus,Reed`)
  await expect(page.getByText('Columns that are not used: Password.')).toBeVisible()
  await expect(line(page, 'wrong')).toContainText('3')
  await expect(button(page, 'Add 1 user')).toBeEnabled()

  const rows = [inline('Full name', 'Email'), inline('Ivan Franko', `${two}@example.com`)]
  const buffer = workbook({ rows: rows.map((cells) => `<row>${cells}</row>`).join('') })
  await file.setInputFiles({ name: 'team.xlsx', mimeType: 'application/octet-stream', buffer })
  await expect(text(page)).toHaveValue(`email,name\n${two}@example.com,Ivan Franko`)
  await expect(line(page, two)).toContainText('Franko')
  await button(page, 'Add 1 user').click()
  await added(page, '1 user added')
  await page.getByRole('link', { name: 'See the import' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave without the passwords?')
  await button(page, 'Leave').click()
  await expect(heading(page)).toHaveText('team.xlsx')
})

test('a file without emails, and more than a thousand people, are refused with the reason', async ({
  page,
  watchdesk,
}) => {
  await seed(page, watchdesk)
  await page.goto('/users/import')
  const file = page.getByLabel('Or a file')
  await file.setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('Name,Phone\nAda,1\n') })
  await expect(file).toHaveAccessibleDescription(/The file has no column with emails/)
  await text(page).fill('a@example.com\n'.repeat(1001))
  await expect(text(page)).toHaveAccessibleDescription(/These are 1,001 users\. Add at most 1,000 at a time/)
  await text(page).fill(Array.from({ length: 1001 }, (_, index) => `Ada Winter <ada${index}@example.com>`).join('\n'))
  await expect(text(page)).toHaveAccessibleDescription(/These are 1,001 users\. Add at most 1,000 at a time/)
  await expect(page.getByRole('status').filter({ hasText: 'No users can be added' })).toBeVisible()
  await expect(button(page, 'Add users')).toBeDisabled()
  await text(page).fill('Ada Winter <ada.winter.chosen@example.com>')
  await button(page, 'Add 1 user').click()
  await expect(select(page, 'Workspace')).toHaveAccessibleDescription(/Workspace is required!/)
})

const csvFile = (name: string, emails: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(['Name,Email', ...emails.map((email) => `Ada Winter,${email}`)].join('\n')),
})

test('a file replaces written text only after a question, and leaves it when it is removed', async ({
  page,
  watchdesk,
}) => {
  await seed(page, watchdesk)
  await page.goto('/users/import')
  const file = page.getByLabel('Or a file')
  const [one, two] = [csvFile('one.csv', ['one@example.com']), csvFile('two.csv', ['two@example.com'])]
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
  test(`other people pasted into a text that is ${how} are not imported as the file`, async ({ page, watchdesk }) => {
    const { workspace } = await seed(page, watchdesk)
    const { id } = await workspace(unique('Pasted'))
    await page.goto(`/users/import?workspace_id=${id}`)
    await page.getByLabel('Or a file').setInputFiles(csvFile('old.csv', ['old@example.com']))
    await expect(text(page)).toHaveValue(/old@example\.com/)
    const [person] = people(1)
    if (how === 'emptied first') {
      await text(page).fill('')
      await expect(page.getByText('old.csv')).toHaveCount(0)
      await text(page).fill(person?.line ?? '')
    } else {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), person?.line ?? '')
      await text(page).selectText()
      await page.keyboard.press('ControlOrMeta+V')
    }
    await expect(text(page)).toHaveValue(person?.line ?? '')
    await expect(page.getByText('old.csv')).toHaveCount(0)
    await button(page, 'Add 1 user').click()
    await added(page, '1 user added')
    await download(page, 'CSV')
    await page.getByRole('link', { name: 'See the import' }).click()
    await expect(heading(page)).toHaveText('Users import')
  })
}

/** The second call waits until it is released. */
async function holdSecondCall(page: Page) {
  let calls = 0
  const release = await hold(page, '**/api/v1/users/import', () => {
    calls += 1
    return calls === 2
  })
  return { release, calls: () => calls }
}

test('adding stops after the rows under way when it is cancelled', async ({ page, watchdesk }) => {
  const { workspace, token } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Cancel'))
  const team = people(45)
  const { release } = await holdSecondCall(page)
  await page.goto(`/users/import?workspace_id=${id}`)
  await text(page).fill(team.map((person) => person.line).join('\n'))
  await button(page, 'Add 45 users').click()
  await expect(page.getByText('20 of 45 rows done')).toBeVisible()
  await button(page, 'Cancel').click()
  release()
  await added(page, '40 of 45 users added')
  await expect(chip(page, 'cancelled 5')).toBeVisible()
  expect(await count(page, token, id)).toBe(40)
  await button(page, 'Continue with 5 rows').click()
  await button(page, 'Add 5 users').click()
  await added(page, '5 users added')
  expect(await count(page, token, id)).toBe(45)
})

test('leaving the page stops adding after the call under way', async ({ page, watchdesk }) => {
  const { workspace, token } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Left'))
  const { release, calls } = await holdSecondCall(page)
  await page.goto(`/users/import?workspace_id=${id}`)
  await text(page).fill(
    people(65)
      .map((person) => person.line)
      .join('\n'),
  )
  await button(page, 'Add 65 users').click()
  await expect(page.getByText('20 of 65 rows done')).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Workspaces', exact: true }).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave while users are being added?')
  await button(page, 'Leave').click()
  await expect(heading(page)).toHaveText('Workspaces')
  await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible()
  const second = page.waitForResponse('**/api/v1/users/import')
  // The lists are read again once it has stopped.
  const stopped = page.waitForRequest(/\/api\/v1\/workspaces\/\?/)
  release()
  await second
  await stopped
  expect(await count(page, token, id)).toBe(40)
  expect(calls()).toBe(2)
})

test('users of a call without an answer keep their passwords in the result', async ({ page, watchdesk, faults }) => {
  test.setTimeout(90_000)
  faults.allow(BROKEN)
  const { workspace, token } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Lost'))
  let calls = 0
  await page.route('**/api/v1/users/import', async (route) => {
    calls += 1
    if (calls === 1) return route.continue()
    // The users are added, and the answer is lost, also that of each retry.
    await route.fetch()
    await route.fulfill({ status: 503, json: { detail: 'Busy.' } })
  })
  const team = people(45)
  await page.goto(`/users/import?workspace_id=${id}`)
  await text(page).fill(team.map((person) => person.line).join('\n'))
  await page.getByRole('switch', { name: 'Workspace admin' }).check()
  await button(page, 'Add 45 users').click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Not all users could be added', { timeout: 30_000 })
  await button(page, 'Stop and show the result').click()
  await added(page, '20 of 45 users added')
  await expect(chip(page, 'not known 20')).toBeVisible()
  await expect(chip(page, 'cancelled 5')).toBeVisible()
  await expect(button(page, 'Correct 25 rows')).toBeVisible()
  expect(await count(page, token, id)).toBe(40)

  const lines = (await download(page, 'CSV')).toString('utf8').split('\r\n')
  const [email = '', , password = '', outcome] = (lines[30] ?? '').split(',')
  expect([email, outcome]).toEqual([team[29]?.email, 'not known'])
  const login = await page.request.post('/api/v1/login', { data: { email, password } })
  expect(login.status()).toBe(200)
  const [, , none, cancelled] = (lines[45] ?? '').split(',')
  expect([none, cancelled]).toEqual(['', 'cancelled'])
})

test('a call that fails is sent again and adds nobody twice', async ({ page, watchdesk, faults }) => {
  faults.allow(BROKEN)
  const { workspace, token } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Retry'))
  const team = people(3)
  const keys: string[] = []
  await page.route('**/api/v1/users/import', async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    // The first response is lost on its way.
    if (keys.length > 1) return route.continue()
    await route.fetch()
    await route.fulfill({ status: 503, json: { detail: 'Busy.' } })
  })
  await page.goto(`/users/import?workspace_id=${id}`)
  await text(page).fill(team.map((person) => person.line).join('\n'))
  await button(page, 'Add 3 users').click()
  await added(page, '3 users added')
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect(await count(page, token, id)).toBe(3)
})

test('a workspace admin adds people to the own workspace, by keyboard and on a phone', async ({ page, watchdesk }) => {
  const { workspace, user, token } = await seed(page, watchdesk)
  const { id, name } = await workspace(unique('Own'))
  const { email } = await user(id, { is_admin: true })
  await signIn(page, { ...watchdesk, email, password: PASSWORD })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/users/create')
  await expect(select(page, 'Workspace')).toHaveValue(name)
  await page.getByRole('link', { name: 'Add many users' }).press('Enter')
  await expect(heading(page)).toHaveText('Add many users')
  await expect(select(page, 'Workspace')).toHaveValue(name)
  await expect(select(page, 'Workspace')).toBeDisabled()
  await expect(text(page)).toHaveAccessibleDescription(
    /Some emails may turn out to be in use only when they are added\./,
  )
  await text(page).focus()
  const [person] = people(1)
  await page.keyboard.insertText(person?.line ?? '')
  await expect(line(page, person?.email ?? '')).toContainText('ready')
  await expectAccessible(page)
  await button(page, 'Add 1 user').focus()
  await page.keyboard.press('Enter')
  await added(page, '1 user added')
  await expect(page.getByRole('link', { name: 'See the import' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to Users' }).click()
  await button(page, 'Stay').click()
  await download(page, 'CSV')
  await page.getByRole('link', { name: 'Go to Users' }).click()
  await expect(page.getByText(person?.email ?? '')).toBeVisible()
  await storeToken(page, watchdesk.url, token)
  expect(await count(page, token, id)).toBe(2)
})
