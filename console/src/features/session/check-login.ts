import { LENGTH, PASSWORD_MAX_BYTES } from '@watchdesk/contract/limits'
import type { Login } from '@watchdesk/contract/session'

// The contract's own schema would say the same (the test holds both together), but its library alone weighs more than
// this page is worth waiting for.
const EMAIL = /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

export type LoginErrors = { [Field in keyof Login]?: string }

export function checkLogin({ email, password }: Login): LoginErrors {
  return {
    email: checkText(email, LENGTH.email, 'Email is required!') ?? checkEmail(email),
    password: checkText(password, PASSWORD_MAX_BYTES, 'Password is required!') ?? checkBytes(password),
  }
}

function checkText(value: string, max: number, required: string) {
  if (value.length > max) return `At most ${max.toLocaleString('en')} characters.`
  if (value.includes('\0')) return 'Must not contain the NUL character.'
  return value.trim() === '' ? required : undefined
}

function checkEmail(value: string) {
  return EMAIL.test(value) ? undefined : 'Email must be a valid email address.'
}

function checkBytes(value: string) {
  return new TextEncoder().encode(value).length > PASSWORD_MAX_BYTES
    ? `At most ${PASSWORD_MAX_BYTES} bytes.`
    : undefined
}
