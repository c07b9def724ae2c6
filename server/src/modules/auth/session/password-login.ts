import type { Env } from '../../../env.ts'
import { forbidden } from '../../../problem.ts'

/** For all that is of no use where nobody signs in with a password: passwords, links to choose one, and second factors. */
export function requirePasswordLogin({ PASSWORD_LOGIN, OIDC_LABEL }: Pick<Env, 'PASSWORD_LOGIN' | 'OIDC_LABEL'>) {
  if (PASSWORD_LOGIN === 'off')
    throw forbidden(
      `Everyone signs in with ${OIDC_LABEL} on this server. Passwords, passkeys and second factors are turned off.`,
    )
}
