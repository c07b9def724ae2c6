import { expect, test } from 'vitest'
import { openOidc } from './oidc.ts'

const SETTINGS = { OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret', PUBLIC_URL: 'https://watchdesk.example' }
const open = (OIDC_ISSUER: string | undefined) => openOidc({ ...SETTINGS, OIDC_ISSUER })

test.each(['https://id.example', 'http://localhost:8080', 'http://127.0.0.1:8080/realms/staff', 'http://[::1]:8080'])(
  'the issuer %s is accepted',
  (issuer) => expect(open(issuer)).toBeDefined(),
)

test.each(['http://id.example', 'http://10.0.0.1', 'http://localhost.example', 'http://127.0.0.1.example'])(
  'the issuer %s is refused, because anyone in between could change its answers',
  (issuer) => expect(() => open(issuer)).toThrow('OIDC_ISSUER: must be an https address'),
)

test('without an issuer there is no single sign-on', () => {
  expect(open(undefined)).toBeUndefined()
})
