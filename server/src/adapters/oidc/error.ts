import type { SsoProblem } from '@watchdesk/contract/auth/session'
import { AuthorizationResponseError } from 'openid-client'
import { HttpError } from '../http.ts'

/** The message is for the log, and has no part of an answer that could be a secret. */
export class SsoError extends Error {
  readonly problem: SsoProblem

  constructor(problem: SsoProblem, message = '') {
    super(message)
    this.problem = problem
  }
}

const TEMPORARY = ['server_error', 'temporarily_unavailable']

/** The causes of the library's errors contain answers with codes and tokens, so only these parts are kept. */
export function ssoError(error: unknown): SsoError {
  if (error instanceof SsoError) return error
  const chain = causes(error)
  const cause = chain.find((each) => each instanceof HttpError)
  if (cause) return new SsoError('unreachable', cause.message)
  if (error instanceof AuthorizationResponseError) {
    const problem = TEMPORARY.includes(error.error) ? 'unreachable' : 'refused'
    return new SsoError(problem, `The provider answered with the error ${wordOf(error.error)}.`)
  }
  const { code, status, error: reason } = Object(error)
  const answered = chain.find((each) => each instanceof Response)
  const problem = (answered?.status ?? status) >= 500 ? 'unreachable' : 'invalid'
  const claims = chain.map((each) => Object(Object(each).cause).claim)
  const parts = [code, reason, ...claims].map(wordOf).filter(Boolean)
  return new SsoError(problem, `The answer of the provider is not valid (${parts.join(', ')}).`)
}

function causes(error: unknown): unknown[] {
  return error === undefined || error === null ? [] : [error, ...causes(Object(error).cause)]
}

/** A code, but no text that the other side could have put there. */
function wordOf(value: unknown) {
  return typeof value === 'string' && /^\w{1,60}$/.test(value) ? value : ''
}
