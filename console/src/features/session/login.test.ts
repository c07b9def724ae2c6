import { Login } from '@watchdesk/contract/session.schema'
import { expect, test } from 'vitest'
import { checkLogin } from './check-login.ts'

const emails = [
  '',
  '   ',
  '\t',
  'admin@watchdesk.local',
  'first.last+tag@sub.example.org',
  "o'brien@example.com",
  'ADMIN@EXAMPLE.COM',
  'a@b.co',
  'a@b',
  'a@b.c',
  'a@-b.co',
  'a@b-.co',
  'a@b..co',
  '.a@b.co',
  'a.@b.co',
  'a..b@c.co',
  "a'@b.co",
  'a b@c.co',
  ' a@b.co',
  'a@b.co ',
  'a@b.co\n',
  'a@@b.co',
  'admin',
  '@b.co',
  'a@',
  'a@b.c0',
  'имя@example.com',
  'name@пример.укр',
  'a\0@b.co',
  `${'a'.repeat(248)}@b.co`,
  `${'a'.repeat(249)}@b.co`,
  ' '.repeat(255),
]
const passwords = [
  '',
  ' ',
  'x',
  ' padded ',
  'пароль',
  'nul\0',
  'x'.repeat(1024),
  'x'.repeat(1025),
  ' '.repeat(1025),
  'ї'.repeat(512),
  'ї'.repeat(513),
]

/** The first message of each field, as a form shows it. */
function contractErrors(body: Login) {
  const errors: Record<string, string | undefined> = { email: undefined, password: undefined }
  for (const issue of Login.safeParse(body).error?.issues ?? []) errors[String(issue.path[0])] ??= issue.message
  return errors
}

test.each(emails)('the email %j is judged in the words of the contract', (email) => {
  const body = { email, password: 'right' }
  expect(checkLogin(body)).toEqual(contractErrors(body))
})

test.each(passwords)('the password %j is judged in the words of the contract', (password) => {
  const body = { email: 'admin@watchdesk.local', password }
  expect(checkLogin(body)).toEqual(contractErrors(body))
})

test('both fields are judged at once', () => {
  const body = { email: '', password: '' }
  expect(checkLogin(body)).toEqual({ email: 'Email is required!', password: 'Password is required!' })
  expect(checkLogin(body)).toEqual(contractErrors(body))
})
