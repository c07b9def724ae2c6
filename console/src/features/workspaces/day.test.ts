import { expect, test } from 'vitest'
import { dayPatterns, hasPassed, parseDay } from './day.ts'

test.each([
  ['en-US', '6/30/2027'],
  ['en-US', '06-30-27'],
  ['en-US', 'Jun 30, 2027'],
  ['en-GB', '30/06/2027'],
  ['en-GB', '30 June 2027'],
  ['uk-UA', '30.06.2027'],
  ['uk-UA', '30.6.27'],
  ['uk-UA', '30 червня 2027 р.'],
  ['de-DE', ' 30. 6. 2027 '],
  ['sv-SE', '2027-06-30'],
  ['ko-KR', '2027. 6. 30.'],
  ['fa-IR', '2027/6/30'],
  ['en-US', '2027-06-30'],
  ['uk-UA', '2027-06-30'],
  ['en-GB', '2027/6/30'],
])('in %s, %s is the 30th of June 2027', (locale, text) => {
  expect(parseDay(text, locale)).toBe('2027-06-30')
})

test.each([
  ['en-US', '30/06/2027'],
  ['en-GB', '06/30/2027'],
  ['uk-UA', '31.06.2027'],
  ['en-US', '02/29/2027'],
  ['en-US', '2027-02-31'],
  ['en-US', '2027-06'],
  ['en-US', '06/30'],
  ['en-US', '1/2/3/2027'],
  ['en-US', '6/30/20270'],
  ['en-US', '0000-01-01'],
  ['en-US', 'tomorrow'],
  ['en-US', 'Brumaire 30, 2027'],
  ['en-US', ''],
])('in %s, %s is no day', (locale, text) => {
  expect(parseDay(text, locale)).toBeUndefined()
})

test('a text far too long for a day is not parsed', () => {
  expect(parseDay(`6/30/2027${' '.repeat(100_000)}`, 'en-US')).toBeUndefined()
})

test('lists the accepted formats of a day', () => {
  expect(dayPatterns('en-US')).toBe('YYYY-MM-DD or MM/DD/YYYY')
  expect(dayPatterns('uk-UA')).toBe('YYYY-MM-DD or DD.MM.YYYY')
  expect(dayPatterns('sv-SE')).toBe('YYYY-MM-DD')
})

test('days formatted for a locale can be typed in that locale', () => {
  for (const locale of ['en-US', 'en-GB', 'uk-UA', 'pl-PL', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'cs-CZ', 'tr-TR']) {
    for (let month = 0; month < 12; month += 1) {
      const date = new Date(Date.UTC(2027, month, 28))
      for (const dateStyle of ['short', 'medium', 'long'] as const) {
        const text = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(date)
        expect([locale, text, parseDay(text, locale)]).toEqual([locale, text, date.toISOString().slice(0, 10)])
      }
    }
  }
})

test('a day has passed once the next one has begun in UTC', () => {
  expect(hasPassed('2026-11-15T00:00:00', new Date('2026-11-15T23:59:59Z'))).toBe(false)
  expect(hasPassed('2026-11-15', new Date('2026-11-16T00:00:00Z'))).toBe(true)
})
