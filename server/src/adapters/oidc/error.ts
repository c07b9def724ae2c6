import { AuthorizationResponseError } from 'openid-client'
import { HttpError } from '../http.ts'

/** The provider cannot be used now, it refused the sign-in, or its answer is not valid. */
export type OidcFailure = 'unreachable' | 'refused' | 'invalid'

/** The message is for the log, and has no part of the answer that could be a secret. */
export class OidcError extends Error {
  readonly failure: OidcFailure

  constructor(failure: OidcFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

const TEMPORARY = ['server_error', 'temporarily_unavailable']

/** The causes of the library's errors contain answers with codes and tokens, so only these parts are kept. */
export function oidcError(error: unknown): OidcError {
  if (error instanceof OidcError) return error
  const cause = causes(error).find((each) => each instanceof HttpError)
  if (cause) return new OidcError('unreachable', cause.message)
  if (error instanceof AuthorizationResponseError) {
    const failure = TEMPORARY.includes(error.error) ? 'unreachable' : 'refused'
    return new OidcError(failure, `The provider answered with the error ${wordOf(error.error)}.`)
  }
  const { code, status, error: reason } = Object(error)
  const answered = causes(error).find((each) => each instanceof Response)
  const failure = (answered?.status ?? status) >= 500 ? 'unreachable' : 'invalid'
  const claims = causes(error).map((each) => Object(Object(each).cause).claim)
  const parts = [code, reason, ...claims].map(wordOf).filter(Boolean)
  return new OidcError(failure, `The answer of the provider is not valid (${parts.join(', ')}).`)
}

function causes(error: unknown): unknown[] {
  return error === undefined || error === null ? [] : [error, ...causes(Object(error).cause)]
}

/** A code, but no text that the other side could have put there. */
function wordOf(value: unknown) {
  return typeof value === 'string' && /^\w{1,60}$/.test(value) ? value : ''
}
