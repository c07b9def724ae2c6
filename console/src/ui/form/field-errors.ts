import { ApiError, UNREACHABLE } from '../../api/call.ts'

/** The part of Standard Schema that forms need. */
export type Schema<Output> = {
  '~standard': { validate: (value: unknown) => Outcome<Output> | Promise<Outcome<Output>> }
}
type Outcome<Output> =
  | { value: Output; issues?: undefined }
  | { issues: readonly { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] }[] }

/** Messages by the path of their field, `email` or `ai_quota.limit`. */
export type FieldErrors = Record<string, string>

/** Loads the file with a schema. If that fails, the server is unreachable, and the error says so. */
export function loadSchema<Body>(load: () => Promise<Schema<Body>>): Promise<Schema<Body>> {
  return load().catch(() => {
    throw new ApiError(0, undefined, UNREACHABLE, {})
  })
}

export async function validate<Body>(
  schema: Schema<Body>,
  given: unknown,
): Promise<{ body: Body; errors?: undefined } | { errors: FieldErrors }> {
  const outcome = await schema['~standard'].validate(given)
  if (outcome.issues === undefined) return { body: outcome.value }
  const errors: FieldErrors = {}
  for (const { message, path = [] } of outcome.issues) {
    // The first message is the most helpful: 'is required' comes before 'must be an address'.
    errors[path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')] ??= message
  }
  return { errors }
}

/** The fields in a 422 response: `{detail: [{loc: ['body', 'email'], msg}]}`. */
export function fieldErrorsOf(body: unknown): FieldErrors {
  const detail: unknown = Object(body).detail
  const errors: FieldErrors = {}
  for (const item of Array.isArray(detail) ? detail : []) {
    const { loc, msg } = Object(item)
    if (Array.isArray(loc) && loc.length > 1 && typeof msg === 'string') errors[loc.slice(1).join('.')] ??= msg
  }
  return errors
}
