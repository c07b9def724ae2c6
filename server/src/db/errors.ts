import { diskFull, type Problem, unavailable } from '../problem.ts'

/** A failure of the database that may be over when the same call is tried again. */
export type DatabaseFailure = 'unreachable' | 'read_only' | 'disk_full' | 'conflict' | 'timeout' | 'cancelled'

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const SQLSTATES: Record<string, DatabaseFailure> = {
  '25006': 'read_only', // a standby, or a primary that is being demoted
  '25P03': 'unreachable', // the server ended a transaction that was idle for too long
  '40001': 'conflict', // serialization failure
  '40P01': 'conflict', // deadlock
  '53100': 'disk_full',
  '57014': 'timeout',
}

/** Connection exceptions, insufficient resources such as too many connections, and a server that starts, stops or crashed. */
const UNREACHABLE = /^(08|53|57P)/

const NETWORK_CODES =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/

/** Of a Unix socket that is gone or has too many connections waiting. From other system calls they mean something else. */
const SOCKET_CODES = ['ENOENT', 'EAGAIN']

/** The errors of pg itself, which have no code. */
const DRIVER_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|timeout expired|not queryable|Query read timeout/

/** Undefined if a retry does not help: a bug, or an error outside the database. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === undefined) return DRIVER_MESSAGES.test(message) ? 'unreachable' : undefined
  // PostgreSQL gives both the same code.
  if (code === '57014' && message.includes('user request')) return 'cancelled'
  if (Object.hasOwn(SQLSTATES, code)) return SQLSTATES[code]
  if (code.length === 5 && UNREACHABLE.test(code)) return 'unreachable'
  if (NETWORK_CODES.test(code) || (syscall === 'connect' && SOCKET_CODES.includes(code))) return 'unreachable'
  return undefined
}

const TOOK_TOO_LONG = 'The request took too long, so the server stopped it. Try again in a moment.'
const MESSAGES: Record<Exclude<DatabaseFailure, 'disk_full'>, string> = {
  unreachable: 'The database cannot be reached right now. Try again in a moment.',
  read_only: 'The database does not accept changes right now. Try again in a moment.',
  conflict: 'Someone else changed the same data at the same time. Try again.',
  timeout: TOOK_TOO_LONG,
  cancelled: TOOK_TOO_LONG,
}

export function databaseProblem(failure: DatabaseFailure): Problem {
  return failure === 'disk_full' ? diskFull() : unavailable(MESSAGES[failure])
}
