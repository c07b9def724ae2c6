import { expect, test } from 'vitest'
import { verifiedEmail } from './person.ts'

const MICROSOFT = 'https://login.microsoftonline.com/9a1c/v2.0'
const email = 'olena@example.com'

test.each([
  [MICROSOFT, { xms_edov: true }, email],
  [MICROSOFT, { xms_edov: '1' }, email],
  [MICROSOFT, { xms_edov: false }, undefined],
  [MICROSOFT, {}, undefined],
  ['https://login.microsoftonline.com.example/', { xms_edov: true }, undefined],
  ['https://id.example', { xms_edov: true }, undefined],
  ['https://id.example', { email_verified: true }, email],
  ['https://id.example', { email_verified: true, email: ['olena@example.com'] }, undefined],
  ['https://id.example', { email_verified: true, email: `${'a'.repeat(300)}@example.com` }, undefined],
])('with the issuer %s and %j, the verified email is %s', (issuer, claims, expected) => {
  const identity = { issuer, subject: '1', proved_at: undefined, claims: { email, ...claims } }
  expect(verifiedEmail(identity)).toBe(expected)
})
