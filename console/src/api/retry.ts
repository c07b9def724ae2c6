import { ApiError } from './call.ts'

const RETRIES = 2

/** Whether a read that failed this often already is sent again. */
export function shouldRetry(failures: number, error: unknown) {
  return failures < RETRIES && error instanceof ApiError && error.isWorthRetrying
}
