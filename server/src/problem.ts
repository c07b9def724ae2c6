import type { FieldError } from '@watchdesk/contract/errors'
import { SIGN_IN_AGAIN_MINUTES } from '@watchdesk/contract/limits'

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

/** Throws what a rule has returned as the reason why not. */
export function refuse(why: Problem | undefined) {
  if (why) throw why
}

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

const NOT_RECENT = 'error="insufficient_user_authentication"'

/** The challenge of RFC 9470, by which the console asks the user to sign in again. */
export function signInAgain() {
  return new Problem(
    401,
    `Sign in again to do this: your last sign-in was more than ${SIGN_IN_AGAIN_MINUTES} minutes ago.`,
    { 'www-authenticate': `Bearer ${NOT_RECENT}, max_age="${SIGN_IN_AGAIN_MINUTES * 60}"` },
  )
}

export function asksToSignInAgain(reply: { getHeader(name: string): unknown }) {
  return String(reply.getHeader('www-authenticate')).includes(NOT_RECENT)
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

/** Nobody reads the response. */
export function interrupted() {
  return new Problem(400, 'The request was interrupted.')
}

export function diskFull() {
  const detail =
    'The disk of the server is full. Nothing can be saved until there is free space. Contact your administrator.'
  return unavailable(detail, 60)
}
