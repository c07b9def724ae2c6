import { expect, test } from 'vitest'
import { formatDay } from '../../../ui/display/format.ts'
import { renewalText } from './renewal-text.ts'

const NOW = new Date('2026-11-17T12:00:00Z')
const MONTHLY = { trial_end: 'show', quota_renewal: 'monthly' } as const

function text(date: string, limit: number | undefined = 10_000) {
  return renewalText(MONTHLY, { date, limit }, NOW)
}

test('says what happens on the date, and then every month', () => {
  const start = (date: string) => `On ${formatDay(date)} the balance becomes 10,000 again, then on`
  expect(text('2026-12-01')).toBe(`${start('2026-12-01')} the 1st of every month.`)
  expect(text('2026-12-22')).toBe(`${start('2026-12-22')} the 22nd of every month.`)
  expect(text('2026-12-13')).toBe(`${start('2026-12-13')} the 13th of every month.`)
  expect(text('2026-12-30')).toBe(`${start('2026-12-30')} the 30th of every month, or its last day.`)
  expect(text('2026-12-31')).toBe(`${start('2026-12-31')} the last day of every month.`)
})

test('the last day of a short month may be that of a longer one', () => {
  expect(text('2027-02-28')).toContain('then once a month.')
  expect(text('2027-04-30')).toContain('then once a month.')
  expect(text('2028-02-28')).toContain('then on the 28th of every month.')
})

test('a date that has come is renewed soon', () => {
  expect(text('2026-11-17')).toBe(
    'This date has come: the balance becomes 10,000 again within a minute, then on the 17th of every month.',
  )
})

test('a limit that is not a number yet has no number', () => {
  expect(renewalText(MONTHLY, { date: '2026-12-01', limit: undefined }, NOW)).toContain(
    'the balance becomes the limit again',
  )
})

test('without renewals, nothing happens', () => {
  const off = { trial_end: 'show', quota_renewal: 'off' } as const
  expect(renewalText(off, { date: '2026-12-01', limit: 1 }, NOW)).toBe('Nothing happens automatically on this date.')
})
