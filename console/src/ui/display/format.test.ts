import { expect, test } from 'vitest'
import { formatAgo, formatDays, formatMomentsIn } from './format.ts'

const at = new Date(2026, 10, 16, 9, 40)
const text = `This user was changed by Vera Moroz at ${at.toISOString()}.`

test('a timestamp of today is shown with its time only, an older one with its date and time', () => {
  expect(formatMomentsIn(text, new Date(2026, 10, 16, 23, 59))).toMatch(/^This user .* Moroz today at 0?9:40.*\.$/)
  expect(formatMomentsIn(text, new Date(2026, 10, 17))).toMatch(/^This user .* Moroz on .*2026.* at 0?9:40.*\.$/)
})

test.each(['The list was not saved at all.', 'Changed at 2026-13-45T09:40:00Z.'])('%j has no timestamp', (message) => {
  expect(formatMomentsIn(message)).toBe(message)
})

test.each([
  [-5, 'just now'],
  [59, 'just now'],
  [60, '1 minute ago'],
  [59 * 60, '59 minutes ago'],
  [3_600, '1 hour ago'],
  [86_399, '23 hours ago'],
  [86_400, '1 day ago'],
  [29 * 86_400, '29 days ago'],
])('what happened %i seconds ago is "%s"', (seconds, text) => {
  expect(formatAgo(at.toISOString(), at.getTime() + seconds * 1000)).toBe(text)
})

test('what happened more than a month ago has its date', () => {
  expect(formatAgo(at.toISOString(), at.getTime() + 31 * 86_400_000)).toMatch(/^on .*2026/)
})

test('days of a filter: one day is named once', () => {
  expect(formatDays('2026-11-01', '2026-11-17')).toBe('from Nov 1, 2026 until Nov 17, 2026')
  expect(formatDays('2026-11-17', '2026-11-17')).toBe('on Nov 17, 2026')
  expect(formatDays(undefined, '2026-11-17')).toBe('until Nov 17, 2026')
  expect(formatDays(undefined, undefined)).toBeUndefined()
})
