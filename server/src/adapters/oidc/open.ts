import { type Env, StartError } from '../../env.ts'
import { isSecure } from './fetch.ts'
import { createOidc, type Oidc } from './oidc.ts'

type Settings = Pick<Env, 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'PUBLIC_URL'>

/** Undefined if OIDC_ISSUER is not set. */
export function openOidc(env: Settings): Oidc | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '', PUBLIC_URL = '' } = env
  if (OIDC_ISSUER === undefined) return undefined
  if (!isSecure(new URL(OIDC_ISSUER))) {
    throw new StartError('Bad setting. OIDC_ISSUER: must be an https address, except on the same machine')
  }
  return createOidc({
    issuer: OIDC_ISSUER,
    client_id: OIDC_CLIENT_ID,
    client_secret: OIDC_CLIENT_SECRET,
    public_url: PUBLIC_URL,
  })
}
