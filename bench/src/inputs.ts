/** What the requests of every contender ask for: the same pages, searches, rows and bodies. */
export const MIDDLE_PAGE = 25_001
export const LAST_PAGE = 50_001
export const COMMON_NAME = 'kovalenko'
export const PART_OF_EMAIL = 'user77777@'
export const READ_ID = 5000

/** Enough rows that no edit waits for the lock of another. */
const EDITED = 10_000

export function editedId(n: number) {
  return 10_001 + ((n * 7919) % EDITED)
}

export function newFirstName(n: number) {
  return `Name ${Date.now()}-${n}`
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
