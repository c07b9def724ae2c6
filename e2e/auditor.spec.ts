import type { Page } from '@playwright/test'
import { makeAddresses, readScreens } from '../scripts/screens.mjs'
import { expect, goInside, signIn } from './test.ts'
import type { Watchdesk } from './watchdesk.ts'
import { button, dialog, field, heading, type Make, PASSWORD, test } from './workspaces-page.ts'

const NOTE = 'You are an auditor: you can look at everything, but not change it.'
/** Calls that read although they are no GET, and those about the views and columns of the user. */
const READS = /\/api\/v1\/((sources|users)\/find|powerbi_dashboards\/check_links|saved_views\/.*)$/

/** Rows of other tests have links too. */
const LINK = /^link (?!(Create|Add|Edit)\b)/
/** Some are only there if other tests have made many records. */
const LIST = [
  LINK,
  /^button (Show more|\d+|Page \d+|Next page|Previous page|First page|Last page)$/,
  /^searchbox /,
  /^combobox (Workspace|Kind|Origin|Status)$/,
  'button Add filter',
]
const TOOLS = ['button Views', 'button Columns', 'button Export']
const SORTS = /^button (ID|Full Name|Email|Name|Status|Platform|Address|Country|Title)$/
const USERS = [...LIST, SORTS]
const OUTCOMES = /^button (All|requested) 1$/

/** What is offered on each screen. Nothing of it changes data, except those of the own account. */
const OFFERED: Record<string, (string | RegExp)[]> = {
  '/users': [...USERS, ...TOOLS],
  '/users/create': [LINK],
  '/users/import': [LINK],
  '/users/$id/edit': [LINK],
  '/workspaces': [...USERS, ...TOOLS],
  '/workspaces/create': [LINK],
  '/workspaces/$id': USERS,
  '/workspaces/$id/edit': [LINK, /^button (Quotas|Access|Advanced configuration) /],
  '/source_management': [LINK, 'button Download a template'],
  '/source_import': [LINK],
  '/stories_import': [LINK],
  '/narratives_vectorization': ['textbox Execution date', 'button Get status', ...LIST],
  '/website_config': [LINK],
  '/dashboards': [LINK, 'button Check links', 'button Columns'],
  '/dashboards/create': [LINK],
  '/dashboards/$id/edit': [LINK, 'button Show preview'],
  '/account': [
    /^(link|radio) /,
    /^textbox (First name|Last name|Email|Current password|New password)$/,
    'combobox Language',
    /^button (Save profile|Show password|Generate|Change password|Create token|Add passkey)$/,
    'button Set up an authenticator app',
    /^button (Details: |End )/,
  ],
  '/overview': [LINK, /^button Show as table of /, /^slider .* by day$/],
  '/sources': [...LIST, 'button Export', SORTS],
  '/sources/find': [LINK, 'textbox Addresses', 'button Open a file', 'button Find'],
  '/sources/$id': [LINK, 'button Copy address'],
  '/imports': LIST,
  '/imports/$id': [LINK, OUTCOMES],
  '/activity': [...LIST, /^combobox (Person|Action|Time)$/, 'button Download', /^button Details: /],
  '/sheets': [...LIST, SORTS],
  '/sheets/$id': [LINK, /^button Download (CSV|XLSX)$/, OUTCOMES],
  '/bin': LIST,
}

/** The screens that are a form for everybody else. */
const FORMS = [
  ...['/users/create', '/users/import', '/users/$id/edit', '/workspaces/create', '/workspaces/$id/edit'],
  ...['/source_management', '/source_import', '/stories_import', '/narratives_vectorization', '/website_config'],
  ...['/dashboards/create', '/dashboards/$id/edit', '/sources/$id'],
]

test('an auditor can open every screen, is offered nothing that changes data, and the console sends no change', async ({
  page,
  api,
  make,
  watchdesk,
}) => {
  const addressOf = await makeAddresses((path, body) => api('POST', path, body), watchdesk.email)
  const deleted = await make.user(1)
  await api('DELETE', `users/${deleted.id}`)
  const sent = await signInAsAuditor(page, make, watchdesk)
  await page.goto('/users')
  const screens = await readScreens(page)
  expect(Object.keys(OFFERED)).toEqual(screens.map(({ path }) => path))
  const menu = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(menu).toHaveText(screens.flatMap(({ menu }) => menu?.label ?? []))
  for (const screen of screens) {
    await goInside(page, addressOf(screen))
    await expect(heading(page), screen.path).not.toHaveText("You don't have access to this page")
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    const offered = OFFERED[screen.path] ?? []
    const isKnown = (control: string) =>
      offered.some((each) => (typeof each === 'string' ? each === control : each.test(control)))
    await expect(async () => {
      expect(
        (await enabledControls(page)).filter((control) => !isKnown(control)),
        screen.path,
      ).toEqual([])
    }).toPass({ timeout: 10_000 })
    await expect(page.getByText(NOTE), screen.path).toHaveCount(FORMS.includes(screen.path) ? 1 : 0)
  }
  expect(sent).toEqual([])
})

test('what an auditor is offered works, and sends no change', async ({ page, api, make, watchdesk }) => {
  const person = await make.user(1, { is_auditor: true })
  await api('PATCH', `users/${person.id}`, { is_auditor: false })
  await api('PATCH', `users/${person.id}`, { is_admin: true })
  await api('PATCH', `users/${person.id}`, { type: 'MODERATOR' })
  await page.request.post('/api/v1/login', { data: { email: person.email, password: PASSWORD } })
  const dashboard = await make.dashboard()
  const sent = await signInAsAuditor(page, make, watchdesk)

  await page.goto(`/users?search=${person.email}`)
  await button(page, 'Columns').click()
  await page.getByRole('checkbox', { name: 'Last sign-in' }).click()
  await expect(page.getByRole('columnheader', { name: 'Last sign-in' })).toBeVisible()
  await page.keyboard.press('Escape')
  await button(page, 'Export').click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  await download

  await page.getByRole('link', { name: `View Iryna ${person.last_name}` }).click()
  await expect(heading(page)).toHaveText(`User Iryna ${person.last_name}`)
  await expect(field(page, 'Email')).toHaveValue(person.email)
  await expect(field(page, 'Email')).toBeDisabled()
  await expect(page.getByRole('switch', { name: /^Auditor/ })).toBeDisabled()
  // What is on looks on, and nothing asks for what an auditor cannot do.
  expect(await trackColor(page, 'Workspace admin')).not.toBe(await trackColor(page, 'Super admin'))
  const text = await page.getByRole('main').innerText()
  expect(text).not.toMatch(/\*|Turn off|Change password|with a link/)
  const access = page.getByRole('region', { name: 'Access' })
  await expect(access.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1)
  await expect(access.getByRole('heading', { name: 'Tokens' })).toBeVisible()
  await expect(access.getByRole('button')).toHaveCount(0)
  // Neither the keys that save nor typing do anything.
  await page.keyboard.press('Control+s')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('link', { name: 'History' }).click()
  await expect(dialog(page).getByText('MODERATOR').first()).toBeVisible()
  await expect(
    dialog(page)
      .getByText(/auditor/i)
      .first(),
  ).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: /put|this change/i })).toHaveCount(0)

  await goInside(page, '/dashboards')
  await button(page, 'Check links').click()
  await expect(button(page, `Check the link of ${dashboard.name} again`)).toBeVisible()

  await goInside(page, '/sources/find')
  await field(page, 'Addresses').fill('https://t.me/nobody_has_this')
  await button(page, 'Find').click()
  await expect(page.getByRole('table').getByText('https://t.me/nobody_has_this').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Add the/ })).toHaveCount(0)

  await goInside(page, '/sources')
  await button(page, 'Export').click()
  await expect(page.getByRole('menuitem')).toHaveText(['CSV', 'XLSX'])
  expect(sent).toEqual([])
})

function trackColor(page: Page, name: string) {
  const track = page.getByRole('switch', { name: new RegExp(`^${name}`) }).locator('+ *')
  return track.evaluate((node) => getComputedStyle(node).backgroundColor)
}

/** Returns the changes that the page sends from then on. */
async function signInAsAuditor(page: Page, make: Make, watchdesk: Watchdesk) {
  const { email } = await make.user(1, { is_auditor: true })
  await signIn(page, { url: watchdesk.url, email, password: PASSWORD })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !READS.test(request.url())) sent.push(`${request.method()} ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) sent.push(`${response.status()} ${response.url()}`)
  })
  return sent
}

const CONTROL =
  /- '?(button|link|textbox|combobox|checkbox|switch|slider|radio|spinbutton|searchbox)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)/

/** The role and name of what can be used on the page, without the menu. */
async function enabledControls(page: Page) {
  const snapshot = await page.getByRole('main').ariaSnapshot()
  return snapshot.split('\n').flatMap((line) => {
    const [, role, name = '', states = ''] = CONTROL.exec(line) ?? []
    return role === undefined || states.includes('[disabled]') ? [] : [`${role} ${name}`]
  })
}
