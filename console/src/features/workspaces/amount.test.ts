import { expect, test } from 'vitest'
import { amountProblem, plainAmount } from './amount.ts'

test.each([
  ['en-US', '12,345'],
  ['de-DE', '12.345'],
  ['uk-UA', '12 345'],
  ['uk-UA', '12\u00a0345'],
  ['de-CH', "12'345"],
  ['de-CH', '12’345'],
  ['en-US', ' 12345 '],
  ['de-DE', '12345'],
])('in %s, %s is 12345', (locale, text) => {
  expect(plainAmount(text, locale)).toBe('12345')
  expect(amountProblem(text, locale)).toBeUndefined()
})

test.each(['en-US', 'de-DE', 'uk-UA'])('in %s, a separator that occurs twice groups thousands', (locale) => {
  for (const text of ['1,234,567', '1.234.567', '1 234 567']) expect(plainAmount(text, locale)).toBe('1234567')
})

test.each([
  ['en-US', '12.345'],
  ['de-DE', '12,345'],
  ['uk-UA', '12,345'],
  ['uk-UA', '12.345'],
])('in %s, %s could be a fraction: it stays, and what to write is said', (locale, text) => {
  expect(plainAmount(text, locale)).toBe(text)
  expect(amountProblem(text, locale)).toBe('This could be a fraction. If you mean 12345, write it without a separator.')
})

test.each([
  '1.5',
  '1,5',
  '12,00',
  '0,500',
  '0.500',
  '1,000.000',
  '1.000,000',
  '1 000.000',
  '-1',
  '1e3',
  '0x10',
  'many',
])('%s is no whole number in any language', (text) => {
  for (const locale of ['en-US', 'de-DE', 'uk-UA', 'de-CH']) {
    expect(plainAmount(text, locale)).toBe(text)
    expect(amountProblem(text, locale)).toBe('Must be a whole number, 0 or more.')
  }
})

test('the largest amount is valid, and one more is not', () => {
  expect(amountProblem('1,000,000,000,000', 'en-US')).toBeUndefined()
  expect(amountProblem('1,000,000,000,001', 'en-US')).toBe('Must be at most 1,000,000,000,000.')
})

test('amounts formatted for a locale can be typed in that locale', () => {
  for (const locale of [
    'en-US',
    'en-GB',
    'uk-UA',
    'pl-PL',
    'de-DE',
    'de-CH',
    'fr-FR',
    'es-ES',
    'it-IT',
    'tr-TR',
    'en-IN',
  ]) {
    for (const amount of [0, 999, 1_000, 12_345, 1_234_567]) {
      const text = new Intl.NumberFormat(locale).format(amount)
      expect([locale, text, plainAmount(text, locale)]).toEqual([locale, text, String(amount)])
    }
  }
})
