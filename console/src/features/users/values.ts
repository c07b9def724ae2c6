import { USER_DEFAULTS, type User } from '@watchdesk/contract/users'

/** The values of the user form. */
export type UserValues = Pick<
  User,
  'first_name' | 'last_name' | 'email' | 'is_admin' | 'is_super_admin' | 'is_auditor' | 'type' | 'language'
> & {
  workspace_id: number | null
  change_password: boolean
  password: string
  /** The user chooses a password with a link. */
  invite: boolean
}

export const LANGUAGE_LABELS: Record<User['language'], string> = {
  '': 'Detect automatically',
  EN: 'English',
  UK: 'Ukrainian',
}

export const NO_ROLE = 'This user has no role, so they cannot sign in to this console.'

export function mayUseConsole(user: Pick<User, 'is_admin' | 'is_super_admin' | 'is_auditor'>) {
  return user.is_admin || user.is_super_admin || user.is_auditor === true
}

export function newUser(workspace_id: number | null): UserValues {
  return {
    ...USER_DEFAULTS,
    is_auditor: false,
    workspace_id,
    first_name: '',
    last_name: '',
    email: '',
    change_password: true,
    password: '',
    invite: false,
  }
}

export function valuesOf(user: User): UserValues {
  const { workspace_id, first_name, last_name, email, type, language, is_admin, is_super_admin, is_auditor } = user
  return {
    ...newUser(workspace_id),
    ...{ first_name, last_name, email, type, is_admin, is_super_admin },
    // Other backends have no auditors.
    is_auditor: is_auditor ?? false,
    // Other backends use null for 'automatically'.
    language: language ?? '',
    change_password: false,
  }
}

export function bodyOf(form: UserValues, wasAuditor = false) {
  const { change_password, password, invite, email, is_auditor, ...values } = form
  return {
    ...values,
    email: email.trim(),
    ...(invite ? { invite } : change_password && { password }),
    // Other backends do not know the field.
    ...((is_auditor || wasAuditor) && { is_auditor }),
  }
}
