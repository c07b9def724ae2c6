import { errorText } from '@watchdesk/contract/errors'
import { TableError } from '@watchdesk/contract/table-error'
import { SheetError } from '../adapters/sheets/sheets.ts'
import { databaseFailure, databaseProblem } from '../db/errors.ts'
import type { JobRow } from '../db/job-queue.ts'
import { JobRefused } from '../db/job-rights.ts'
import { MAX_ATTEMPTS } from '../db/leases.ts'
import { diskFull, Problem } from '../problem.ts'
import type { Failure } from './runner.ts'

const STARTED_OFTEN = `It was started ${MAX_ATTEMPTS} times, and nothing was saved.`

const NO_SPACE: unknown[] = ['ENOSPC', 'EDQUOT']

/** What becomes of a job whose work has failed, and the reason that its owner sees: that of the call, if there is one. */
export function failureOf(error: unknown, { attempts }: Pick<JobRow, 'attempts'>): Failure {
  if (error instanceof Problem)
    return { outcome: 'failed', reason: errorText(error), isUnexpected: error.status >= 500 }
  if (error instanceof SheetError || error instanceof TableError || error instanceof JobRefused) {
    return { outcome: 'failed', reason: error.message, isUnexpected: false }
  }
  if (NO_SPACE.includes(Object(error).code)) {
    return { outcome: 'failed', reason: diskFull().message, isUnexpected: true }
  }
  const failure = databaseFailure(error)
  const reason = failure
    ? databaseProblem(failure).message
    : 'Something went wrong on the server. Its log has the details.'
  if (failure === 'unreachable' || failure === 'read_only') return { outcome: 'postponed', reason, isUnexpected: true }
  if (failure === 'conflict') {
    return attempts < MAX_ATTEMPTS
      ? { outcome: 'retried', reason, isUnexpected: false }
      : { outcome: 'failed', reason: `${reason} ${STARTED_OFTEN}`, isUnexpected: false }
  }
  return { outcome: 'failed', reason, isUnexpected: true }
}
