import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import ukrainian from 'i18n-iso-countries/langs/uk.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { countryCode } from './countries.ts'

test.each(
  Object.entries({
    UA: ['Ukraine', 'Україна', 'UA', 'UKR'],
    PL: ['Poland', 'Польща'],
    US: ['United States', 'USA', 'США', 'Сполучені Штати'],
    GB: ['UK', 'Велика Британія'],
    MD: ['Moldova'],
    SY: ['Syria'],
    KR: ['Південна Корея', 'South Korea'],
    KP: ['Північна Корея'],
    TW: ['Тайвань'],
    XK: ['Kosovo'],
  }).flatMap(([code, names]) => names.map((written) => [written, code])),
)('%s is %s', (written = '', code) => {
  expect(countryCode(written)).toBe(code)
})

test('case, spaces, accents and apostrophe variants are ignored', () => {
  for (const written of ['  ukraine ', 'UKRAINE', 'uKrAiNe', 'ua', 'Ukr', 'УКРАЇНА'])
    expect(countryCode(written), written).toBe('UA')
  for (const written of ["Cote d'Ivoire", 'Côte d’Ivoire', 'CÔTE  D`IVOIRE', 'Co\u0302te d\u02bcIvoire'])
    expect(countryCode(written), written).toBe('CI')
  expect(countryCode('Turkiye')).toBe('TR')
  expect(countryCode('Об’єднані\u00a0Арабські Емірати')).toBe('AE')
})

test('Cyrillic letters keep their diacritics, because they are separate letters', () => {
  expect(countryCode('Украіна')).toBeUndefined()
  expect(countryCode('Йорданія'.normalize('NFD'))).toBe('JO')
})

test.each(['', ' ', 'Atlantis', 'U', 'Ukraine, Kyiv', '804', 'constructor', '__proto__', 'toString'])(
  '%j is no country',
  (written) => {
    expect(countryCode(written)).toBeUndefined()
  },
)

test.each(['\u0301', 'a\u0301\u0323', ' ', '\ufdfa', '\ud800'])(
  'a cell full of %j is no country, and read at once',
  (filling) => {
    expect(countryCode(filling.repeat(100_000))).toBeUndefined()
    for (let count = 0; count < 10_000; count += 1) countryCode(filling.repeat(Math.floor(100 / filling.length)))
  },
)

describe('every country of the lists', () => {
  test.each(codes as [string, string][])('%s, %s and its names', (alpha2, alpha3) => {
    expect(countryCode(alpha2)).toBe(alpha2)
    expect(countryCode(alpha3)).toBe(alpha2)
    const lists = [english, ukrainian] as { countries: Record<string, string | string[]> }[]
    for (const name of lists.flatMap(({ countries }) => countries[alpha2] ?? [])) {
      // Two countries have this name; it resolves to the first.
      if (name === 'Congo') continue
      expect(countryCode(name), name).toBe(alpha2)
    }
  })
})
