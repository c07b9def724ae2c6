import type { Login } from '@watchdesk/contract/session'
import { type FieldErrors, validate } from '../../ui/form/field-errors.ts'

const SCHEMA_TIMEOUT_MS = 3_000

/** Loaded while the user types, because it would make the login page a fifth larger. Undefined if it cannot be loaded. */
export function loadLoginSchema() {
  return import('@watchdesk/contract/session.schema').then((schema) => schema.Login).catch(() => undefined)
}

/** What is wrong with an email and password before they are sent. */
export async function loginErrors(body: Login): Promise<FieldErrors> {
  const schema = await Promise.race([
    loadLoginSchema(),
    new Promise<undefined>((resolve) => setTimeout(resolve, SCHEMA_TIMEOUT_MS)),
  ])
  // Without it, the call itself reports what is wrong.
  return (schema && (await validate(schema, body)).errors) ?? {}
}
