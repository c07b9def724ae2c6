import { currentUser } from '@watchdesk/contract/auth/session'
import { createToken, listTokens, type NewToken } from '@watchdesk/contract/auth/tokens'
import { expectAccount, expectKept, createToken as fillToken, openAccountFromMenu, section } from '../account-page.ts'
import { dialog, heading } from '../users-page.ts'
import { answerAccount } from './account.ts'
import { ME } from './records.ts'
import { expect, test } from './test.ts'

const TOKEN: NewToken = {
  id: 3,
  name: 'Airflow',
  is_read_only: true,
  created_at: '2026-11-17T01:00:00.000Z',
  expires_at: '2027-02-17T01:00:00.000Z',
  last_used_at: null,
  last_ip: null,
  token: 'wdk_secret',
}

test.beforeEach(({ backend }) => {
  answerAccount(backend)
  backend.answer(createToken, TOKEN)
})

test('an auditor creates tokens that only read, and all tokens of an auditor are shown as such', async ({
  page,
  backend,
  open,
}) => {
  const earlier = { ...TOKEN, id: 2, name: 'Earlier', is_read_only: false }
  const tokens = [earlier]
  backend.answer(currentUser, { ...ME, is_super_admin: false, is_auditor: true })
  backend.answer(listTokens, () => ({ objects: tokens }))
  backend.answer(createToken, ({ body }) => {
    tokens.unshift({ ...TOKEN, ...body })
    return { ...TOKEN, ...body }
  })
  await open('/account')
  await expectAccount(page)
  await fillToken(page, 'Airflow')
  await expect(dialog(page).getByText('wdk_secret')).toBeVisible()
  expect(backend.calls(createToken).map(({ body }) => body)).toMatchObject([{ name: 'Airflow', is_read_only: true }])
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click()
  const rows = section(page, 'Tokens').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.getByText('Read only')).toHaveCount(2)
  await section(page, 'Tokens').getByRole('button', { name: 'Create token' }).click()
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toBeVisible()
  await expect(dialog(page).getByRole('switch')).toHaveCount(0)
})

test('the dialog stays while a token is created, and a token stays on the screen until it is saved: Back does nothing, and the browser asks before a reload', async ({
  page,
  backend,
  open,
}) => {
  backend.refuse(createToken, 500)
  const fail = backend.hold(createToken)
  await open('/users')
  await openAccountFromMenu(page)
  await fillToken(page, 'Airflow')
  await expect.poll(() => backend.calls(createToken).length).toBe(1)
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.evaluate(() => history.back())
  fail()
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Close' })).toBeVisible()

  backend.answer(createToken, TOKEN)
  const succeed = backend.hold(createToken)
  await dialog(page).getByRole('button', { name: 'Create token' }).click()
  await expect.poll(() => backend.calls(createToken).length).toBe(2)
  await page.keyboard.press('Escape')
  succeed()
  const shown = dialog(page).getByText('wdk_secret')
  await expect(shown).toBeVisible()
  await page.keyboard.press('Escape')
  await expectKept(page, 'Save the token first. It is not shown again.')
  await expect(shown).toBeVisible()
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.goBack()
  await expect(heading(page)).toHaveText('Users')
})
