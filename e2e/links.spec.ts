import type { Page } from '@playwright/test'
import { startSmtp } from '../server/test/helpers/smtp-server.ts'
import { expectAccessible } from './accessible.ts'
import { freePort } from './free-port.ts'
import { runCommand } from './processes.ts'
import { createPerson, heading } from './second-factor-page.ts'
import { seed, unique } from './seed.ts'
import { account, email, errorLine, REFUSED, storedToken, submit } from './session-page.ts'
import { expect, test } from './test.ts'
import { startWatchdesk } from './watchdesk.ts'

const password = (page: Page) => page.getByRole('textbox', { name: 'Password', exact: true })
const NEW_PASSWORD = 'a lamp beside the harbour'

/** Servers of single tests, which are stopped even if the test fails. */
const stops: (() => Promise<unknown>)[] = []
test.afterEach(async ({ page }) => {
  // An open page would still call a server that has stopped.
  if (stops.length > 0) await page.goto('about:blank')
  for (const stop of stops.splice(0)) await stop()
})

test('an invited user chooses a password, and signs in with it', async ({ page, watchdesk, faults }) => {
  faults.allow(REFUSED)
  const { workspace, user } = await seed(page, watchdesk)
  const { id } = await workspace(unique('Invited'))
  const fields = { first_name: 'Olena', is_admin: true, password: undefined, invite: true }
  const invited = await user(id, fields)
  const { invitation } = invited as unknown as { invitation: { link: string } }
  await page.evaluate(() => localStorage.clear())

  await page.goto(invitation.link)
  await expect(heading(page)).toHaveText('Welcome, Olena')
  await page.reload()
  await expect(heading(page)).toHaveText('Open your link again')
  await expectAccessible(page)
  await page.goto(invitation.link)
  await expect(heading(page)).toHaveText('Welcome, Olena')
  await expect(page).toHaveURL('/set_password')
  await expect(page).toHaveTitle('Welcome, Olena · Watchdesk')
  await expect(page.getByText(invited.email)).toBeVisible()
  await expect(password(page)).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(password(page)).toHaveAccessibleDescription('Password is required!')
  await password(page).fill('password')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(errorLine(page)).toBeVisible()
  await expectAccessible(page)
  await password(page).fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Password saved')
  await expect(heading(page)).toBeFocused()
  await expect(page.getByText('If you have access to this console, you can sign in with it.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await submit(page, { email: invited.email, password: NEW_PASSWORD })
  await expect(page).toHaveURL('/users')

  // A link works once, and someone who is signed in stays signed in.
  const token = await storedToken(page)
  await page.goto(invitation.link)
  await expect(heading(page)).toHaveText('This link does not work')
  await expect(page.getByText('Your administrator can create a new link.')).toBeVisible()
  await expect(errorLine(page)).toHaveText('This link is not valid any more. Ask for a new one.')
  await expectAccessible(page)
  expect(await storedToken(page)).toBe(token)
})

test('someone who forgot the password gets a link by mail, and the same answer as someone unknown', async ({
  page,
  faults,
}) => {
  const smtp = await startSmtp()
  stops.push(smtp.stop)
  const port = await freePort()
  const watchdesk = await startWatchdesk({
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'desk@example.com',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  })
  stops.unshift(watchdesk.stop)
  faults.allowOrigin(watchdesk.url)
  const person = await createPerson(page, watchdesk)
  await page.goto(`${watchdesk.url}/login`)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveTitle('Forgot password? · Watchdesk')
  await expect(email(page)).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(email(page)).toHaveAccessibleDescription('Email is required!')
  const answers: string[] = []
  for (const address of ['nobody@example.com', person.email]) {
    await page.goto(`${watchdesk.url}/forgot_password`)
    await email(page).fill(address)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(heading(page)).toHaveText('Check your mail')
    await expect(page.getByText('The link is valid for 60 minutes.')).toBeVisible()
    await expect(heading(page)).toBeFocused()
    answers.push(await page.getByRole('main').innerText())
  }
  await expectAccessible(page)
  expect(answers[0]).toBe(answers[1])

  await expect.poll(() => smtp.received.length).toBe(1)
  await page.goto(/http\S+\/set_password#[\w-]+/.exec(smtp.received[0]?.text ?? '')?.[0] ?? '')
  await expect(heading(page)).toHaveText('Hello, Iryna')
  await page.getByRole('button', { name: 'Generate' }).click()
  const chosen = await password(page).inputValue()
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await submit(page, { email: person.email, password: chosen })
  await expect(page).toHaveURL(`${watchdesk.url}/users`)
})

test('a link of the command line signs in once, and asks someone who is signed in', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const link = await createLink()
  await page.goto(`/sign_in${link}`)
  await expect(account(page)).toBeVisible()
  await expect(page).toHaveURL('/users')
  const token = await storedToken(page)

  const second = await createLink()
  await page.goto(`/sign_in${second}`)
  await expect(heading(page)).toHaveText('Sign in with this link?')
  await expect(page).toHaveURL('/sign_in')
  await expectAccessible(page)
  await page.reload()
  await expect(heading(page)).toHaveText('Open your link again')
  await expect(errorLine(page)).toHaveCount(0)
  await page.goto(`/sign_in${second}`)
  await expect(heading(page)).toHaveText('Sign in with this link?')
  expect(await storedToken(page)).toBe(token)
  await page.getByRole('button', { name: 'Sign in with the link' }).click()
  await expect(account(page)).toBeVisible()
  expect(await storedToken(page)).not.toBe(token)

  await page.evaluate(() => localStorage.clear())
  await page.goto(`/sign_in${link}`)
  await expect(heading(page)).toHaveText('This link does not work')
  expect(await storedToken(page)).toBeNull()

  async function createLink() {
    const args = ['scripts/run.mjs', 'sign-in-link', watchdesk.email]
    const { code, output } = await runCommand(process.execPath, args, { DATA_DIR: watchdesk.data })
    expect(code, output).toBe(0)
    return /\/sign_in(#[\w-]+)/.exec(output)?.[1] ?? ''
  }
})
