import { email, name } from '@watchdesk/contract/fields.schema'
import { LENGTH } from '@watchdesk/contract/limits'
import type { Identity } from '../../../adapters/oidc/oidc.ts'
import type { Env } from '../../../env.ts'

const MICROSOFT = 'https://login.microsoftonline.com/'

export function verifiedEmail({ issuer, claims }: Identity): string | undefined {
  const { email: given, email_verified, xms_edov } = claims
  // Microsoft does not send `email_verified`. This claim says that the organization owns the domain of the email.
  const isOwned = issuer.startsWith(MICROSOFT) && [true, 1, '1', 'true'].some((yes) => yes === xms_edov)
  if (email_verified !== true && !isOwned) return undefined
  return Email.safeParse(given).data
}

const Email = email()
const Name = name('Name is required!')

/** The names of a new user. They can be edited later, and both are required. */
export function namesFrom({ given_name, family_name, name: full }: Record<string, unknown>, userEmail: string) {
  const [local = '', domain = ''] = userEmail.split('@')
  const [first, ...rest] = (nameFrom(full) ?? '').split(/\s+/)
  return {
    first_name: nameFrom(given_name) ?? (first || local),
    last_name: nameFrom(family_name) ?? (rest.join(' ') || domain),
  }
}

/** Undefined for anything that could not be entered as a name either. */
function nameFrom(claim: unknown) {
  if (typeof claim !== 'string') return undefined
  const start = claim.trim().slice(0, LENGTH.name)
  return Name.safeParse(start.replace(/\p{Surrogate}/gu, '')).data
}

export type Role = NonNullable<Env['OIDC_ROLES']>[number]['role'] | 'none'
const HIGHEST_FIRST = ['super_admin', 'auditor', 'admin'] as const

export function roleFrom(claims: Record<string, unknown>, env: Pick<Env, 'OIDC_ROLES' | 'OIDC_ROLES_CLAIM'>) {
  const { OIDC_ROLES, OIDC_ROLES_CLAIM } = env
  if (!OIDC_ROLES) return undefined
  const given = [claims[OIDC_ROLES_CLAIM]].flat()
  const roles = OIDC_ROLES.filter(({ value }) => given.includes(value)).map(({ role }) => role)
  return HIGHEST_FIRST.find((role) => roles.includes(role)) ?? 'none'
}

/** Whether a super admin manages the users of the workspace too makes no difference, so it is kept. */
export const FLAGS = {
  super_admin: { is_super_admin: true, is_auditor: false },
  auditor: { is_admin: false, is_super_admin: false, is_auditor: true },
  admin: { is_admin: true, is_super_admin: false, is_auditor: false },
  none: { is_admin: false, is_super_admin: false, is_auditor: false },
} as const satisfies Record<Role, object>
