import { expect, test } from 'vitest'
import { textOf } from './texts.ts'

test('the mail about a reset says that the user was signed out, and what is missing now', () => {
  const content = {
    first_name: 'Olena',
    email: 'o@example.com',
    by: 'Kim',
    at: new Date(),
    address: 'https://example.com',
  }
  expect(textOf('second_factor_reset', content).text).toContain(
    'You were signed out everywhere. Until you set up a new second factor, your account is less protected.',
  )
})
