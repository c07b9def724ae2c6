import { expect, test } from 'vitest'
import { byDay } from './days.ts'
import { rowsOf } from './rows.ts'

test('a quota is shown by its parts that changed', () => {
  const before = { limit: 10, balance: 5, renewal_date: '2027-01-01T00:00:00' }
  const rows = rowsOf('workspace', { ai_quota: { before, after: { ...before, limit: 20 } } })
  expect(rows).toEqual([{ field: 'ai_quota', path: 'ai_quota.limit', label: 'AI quota limit', before: 10, after: 20 }])
})

test('a new record has no values before', () => {
  const changes = { ai_quota: { before: null, after: { limit: 10 } }, roles: { before: null, after: ['search'] } }
  expect(rowsOf('workspace', changes)).toEqual([
    { field: 'ai_quota', path: 'ai_quota.limit', label: 'AI quota limit', before: undefined, after: 10 },
    { field: 'roles', path: 'roles', label: 'Roles', before: null, after: ['search'] },
  ])
})

test('events are grouped by day', () => {
  const at = (day: number, hour: number) => ({ at: new Date(2026, 10, day, hour).toISOString() })
  const days = byDay([at(16, 23), at(16, 0), at(15, 23), at(2, 12)], new Date(2026, 10, 16, 23, 30))
  expect(days.map(({ label, events }) => [label, events.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    [expect.stringContaining('November'), 1],
  ])
})
