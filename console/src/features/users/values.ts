import { USER_DEFAULTS, type User, type UserFields } from '@watchdesk/contract/users'

/** The values of the user form. */
export type UserValues = Omit<UserFields, 'workspace_id'> & {
  workspace_id: number | null
  change_password: boolean
  password: string
  /** The user chooses a password with a link. */
  invite: boolean
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
  const values = newUser(user.workspace_id)
  // Other backends have no auditors, and use null for 'automatically'.
  const fields = Object.entries(user).filter(([name, value]) => name in values && value !== null)
  return { ...values, ...Object.fromEntries(fields), change_password: false }
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
