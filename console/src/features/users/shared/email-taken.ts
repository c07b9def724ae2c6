import type { ApiError } from '../../../api/call.ts'
import type { FieldErrors } from '../../../ui/form/field-errors.ts'

/** A duplicate email is reported as a plain message; it belongs to the email field too. */
export function emailTaken({ status, text }: ApiError): FieldErrors {
  return [400, 409].includes(status) && /\be-?mail\b/i.test(text) ? { email: text } : {}
}
