import { USERS } from './seed.ts'

/** What the requests of every contender ask for: the same pages, searches, rows and bodies. */
export const { middle: MIDDLE_PAGE, last: LAST_PAGE } = pagesOf(USERS)
export const COMMON_NAME = 'kovalenko'
export const PART_OF_EMAIL = 'user7777@'
export const READ_ID = 5000

/** Enough rows that no edit waits for the lock of another. */
const EDITED = 8000

export function editedId(n: number) {
  return 2001 + ((n * 7919) % EDITED)
}

export function newFirstName(n: number) {
  return `Name ${Date.now()}-${n}`
}

/** With 20 rows per page. The first super admin is a user too. */
export function pagesOf(users: number) {
  const last = Math.ceil((users + 1) / 20)
  return { middle: Math.round(last / 2), last }
}

const QUOTA = { limit: 10_000, balance: 10_000, renewal_date: '2030-01-01T00:00:00' }

/** Without dashboards, and with the defaults for all settings. */
export function newWorkspace(n: number) {
  return {
    name: `Created by the benchmark ${n}`,
    description: 'A workspace',
    status: 'PAID_CLIENT',
    analytical_quota: QUOTA,
    ai_quota: QUOTA,
  }
}
