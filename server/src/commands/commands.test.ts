import { expect, test } from 'vitest'
import { databaseUrl, runCommand } from '../../test/helpers/replica.ts'
import { caller, useWatchdesk } from '../../test/helpers/watchdesk.ts'

const ADMIN = 'admin@watchdesk.local'
const watchdesk = useWatchdesk()

test.each<Record<string, boolean>>([{}, { create: true }])(
  'where nobody signs in with a password, none is set: %o',
  async (options) => {
    const OIDC = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'desk', OIDC_CLIENT_SECRET: 'secret' }
    const settings = { DATABASE_URL: databaseUrl(watchdesk.database), PASSWORD_LOGIN: 'off', ...OIDC }
    const PUBLIC_URL = 'https://desk.example.com'
    const { code, output } = await runCommand('reset-password', { ...settings, PUBLIC_URL }, [ADMIN], options)
    expect(code).toBe(1)
    expect(output).toMatch(/^Nobody can sign in with a password on this server .* npm run sign-in-link -- admin@/)
    expect(output).not.toContain('The new password is')
    await watchdesk.signIn(ADMIN, 'correct horse 9')
  },
)

test('a password is reset, or a super admin created with one, which ends the sessions of before', async () => {
  const settings = { DATABASE_URL: databaseUrl(watchdesk.database) }
  const { email, call: before } = await watchdesk.createPerson({ is_super_admin: true })
  const reset = await runCommand('reset-password', settings, [email.toUpperCase()])
  const password = new RegExp(`^Reset the password of ${email}. The new password is (\\S+)`).exec(reset.output)?.[1]
  expect(reset.output).toContain('Sessions ended: 1')
  expect((await before('GET', '/api/v1/users/me')).status).toBe(401)
  await watchdesk.signIn(email, password)

  const unknown = await runCommand('reset-password', settings, ['other@example.com'])
  expect(unknown).toEqual({ code: 1, output: expect.stringMatching(/^No user has the email [^\n]*--create [^\n]*\n$/) })
  const created = await runCommand('reset-password', settings, ['other@example.com'], { create: true })
  const first = /^Created the super admin other@example.com. The new password is (\S+)/.exec(created.output)?.[1]
  await watchdesk.signIn('other@example.com', first)
})

test('a link to sign in is printed, and works once', async () => {
  const settings = { DATABASE_URL: databaseUrl(watchdesk.database), PUBLIC_URL: 'https://desk.example.com/' }
  const { code, output } = await runCommand('sign-in-link', settings, [ADMIN.toUpperCase()])
  expect([code, output]).toEqual([0, expect.stringContaining(`Open this link to sign in as ${ADMIN}.`)])
  const token = /^https:\/\/desk\.example\.com\/sign_in#([\w-]{43})$/m.exec(output)?.[1]
  const open = () => caller(watchdesk.app, '')('POST', '/api/v1/login/link/session', { token })
  expect([(await open()).status, (await open()).status]).toEqual([200, 404])
})
