import { expect, test } from 'vitest'
import { nextRenewal, renewalDay } from './renew-quotas.ts'

test.each([
  ['2026-12-01', 1, '2026-12-01', '2027-01-01'],
  ['2027-01-31', 31, '2027-01-31', '2027-02-28'],
  ['2027-02-28', 31, '2027-02-28', '2027-03-31'],
  ['2028-01-30', 30, '2028-01-31', '2028-02-29'],
  ['2026-12-15', 15, '2026-12-20', '2027-01-15'],
])('a quota due on %s, on day %i, is renewed on %s and is due next on %s', (date, day, today, next) => {
  expect(nextRenewal(date, day, today)).toBe(next)
})

test.each([
  ['2026-01-31', 31, '2026-11-17', '2026-11-30'],
  ['2026-01-31', 31, '2026-11-30', '2026-12-31'],
  ['2020-02-29', 29, '2023-02-28', '2023-03-29'],
  ['0001-01-01', 1, '2026-11-17', '2026-12-01'],
])('missed months are skipped: due on %s, on day %i, renewed on %s and due next on %s', (date, day, today, next) => {
  expect(nextRenewal(date, day, today)).toBe(next)
})

test('the remembered day counts only in a month that is too short for it', () => {
  expect(renewalDay('2027-02-28', 31)).toBe(31)
  expect(renewalDay('2027-03-31', 31)).toBe(31)
  expect(renewalDay('2027-02-28', null)).toBe(28)
  // A server of an earlier release has set another date since.
  expect(renewalDay('2027-03-15', 31)).toBe(15)
})
