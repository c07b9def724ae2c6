import { ApiError } from './call.ts'

const RETRIES = 2

/** Whether to retry a read after this many failures. */
export function shouldRetry(failures: number, error: unknown) {
  return failures < RETRIES && error instanceof ApiError && error.isRetryable
}
