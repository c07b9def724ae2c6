import type { FieldError } from '@watchdesk/contract/errors'

/** An error for the caller: thrown anywhere, turned into a response in `plugins/errors.ts`. */
export class Problem extends Error {
  readonly status: number
  readonly detail: string | FieldError[]
  readonly headers: Record<string, string>

  constructor(status: number, detail: string | FieldError[], headers: Record<string, string> = {}) {
    super(typeof detail === 'string' ? detail : detail.map((item) => item.msg).join(' '))
    this.status = status
    this.detail = detail
    this.headers = headers
  }
}

/** The entity, or a 404 error with its kind. */
export function found<Entity>(entity: Entity | undefined, kind: string): Entity {
  if (entity === undefined) throw new Problem(404, `${kind} not found.`)
  return entity
}

export function signedOut() {
  return new Problem(401, 'You are not signed in, or your session has ended. Sign in again.', {
    'www-authenticate': 'Bearer',
  })
}

export function forbidden(detail: string) {
  return new Problem(403, detail)
}

export function conflict(detail: string) {
  return new Problem(409, detail)
}

/** A 422 for a rule that only the server can check. */
export function invalid(field: string, msg: string) {
  return new Problem(422, [{ loc: ['body', field], msg, type: 'value_error' }])
}

export function unavailable(detail: string, seconds = 5) {
  return new Problem(503, detail, { 'retry-after': String(seconds) })
}

export function diskFull() {
  const detail =
    'The disk of the server is full. Nothing can be saved until there is free space. Contact your administrator.'
  return unavailable(detail, 60)
}
