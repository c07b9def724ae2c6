import { countryCode, countryList, countryNames } from '@watchdesk/contract/countries'
import { editDistance } from '@watchdesk/contract/edit-distance'
import { LENGTH } from '@watchdesk/contract/limits'
import { readSource } from '@watchdesk/contract/source-row'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { suggestionsFor } from './suggestions.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? 300)
const addressFor = (url: string) => suggestionsFor({ url, country: '' }).url?.value
const countryFor = (country: string) => suggestionsFor({ url: 't.me/name', country }).country?.value

describe('an address that was clearly meant', () => {
  test.each([
    // Other hosts of Telegram.
    ['telegram.org/name', 'https://t.me/name'],
    ['https://telegram.org/Some_Name/', 'https://t.me/some_name'],
    ['https://telegram.org/@name', 'https://t.me/name'],
    ['https://www.telegram.org//name', 'https://t.me/name'],
    ['telegram.org/s/name', 'https://t.me/name'],
    ['telegram.org/name/123', 'https://t.me/name/123'],
    ['telegram.org/joinchat/AAAAAE_x-1', 'https://t.me/joinchat/AAAAAE_x-1'],
    ['telegram.dog/name', 'https://t.me/name'],
    ['telegram.com/name?x=1', 'https://t.me/name'],
    ['web.telegram.org/#@name', 'https://t.me/name'],
    ['https://web.telegram.org/k/#@name', 'https://t.me/name'],
    ['https://web.telegram.org/a/#@name', 'https://t.me/name'],
    ['https://web.telegram.org/#/im?p=@name', 'https://t.me/name'],
    ['https://name.t.me', 'https://t.me/name'],
    ['some_name.t.me/', 'https://t.me/some_name'],
    ['tg://resolve?domain=name', 'https://t.me/name'],
    ['tg://resolve?domain=name&post=5', 'https://t.me/name'],
    // A handle with its platform.
    ['@name telegram', 'https://t.me/name'],
    ['telegram @name', 'https://t.me/name'],
    ['Telegram: @name', 'https://t.me/name'],
    ['tg: name', 'https://t.me/name'],
    ['@name (Telegram)', 'https://t.me/name'],
    ['Телеграм – @name', 'https://t.me/name'],
    ['twitter @name', 'https://twitter.com/name'],
    ['TikTok: @some.name', 'https://tiktok.com/@some.name'],
    ['youtube @name', 'https://youtube.com/@name'],
    ['fb: some.name', 'https://facebook.com/some.name'],
    ['t.me@name', 'https://t.me/name'],
    ['tiktok.com@name', 'https://tiktok.com/@name'],
    // The start of the address.
    ['http//t.me/name', 'https://t.me/name'],
    ['https//t.me/name', 'https://t.me/name'],
    ['htps://t.me/name', 'https://t.me/name'],
    ['htpps://t.me/name', 'https://t.me/name'],
    ['hhttps://t.me/name', 'https://t.me/name'],
    ['ttps://t.me/name', 'https://t.me/name'],
    ['https;//t.me/name', 'https://t.me/name'],
    ['http:://t.me/name', 'https://t.me/name'],
    ['http:/t.me/name', 'https://t.me/name'],
    ['https:t.me/name', 'https://t.me/name'],
    ['://t.me/name', 'https://t.me/name'],
    ['https://https://t.me/name', 'https://t.me/name'],
    ['http://https//t.me/name', 'https://t.me/name'],
    ['httpswww.facebook.com/page', 'https://facebook.com/page'],
    ['https:\\\\t.me\\name', 'https://t.me/name'],
    // The host.
    ['tme/name', 'https://t.me/name'],
    ['https://tme/name', 'https://t.me/name'],
    ['t,me/name', 'https://t.me/name'],
    ['t..me/name', 'https://t.me/name'],
    ['t. me/name', 'https://t.me/name'],
    ['т.ме/name', 'https://t.me/name'],
    ['t.mе/name', 'https://t.me/name'],
    ['wwwfacebook.com/page', 'https://facebook.com/page'],
    ['wwww.facebook.com/page', 'https://facebook.com/page'],
    ['ww.facebook.com/page', 'https://facebook.com/page'],
    ['www,facebook,com/page', 'https://facebook.com/page'],
    ['facebookcom/page', 'https://facebook.com/page'],
    ['facebook/page', 'https://facebook.com/page'],
    ['telegram/name', 'https://t.me/name'],
    ['youtube/@name', 'https://youtube.com/@name'],
    ['facebok.com/page', 'https://facebook.com/page'],
    ['https://www.facebook.con/page', 'https://facebook.com/page'],
    ['twiter.com/name', 'https://twitter.com/name'],
    ['titkok.com/@name', 'https://tiktok.com/@name'],
    ['yuotube.com/@name', 'https://youtube.com/@name'],
    ['telegrm.org/name', 'https://t.me/name'],
    // Other hosts of the other platforms.
    ['https://youtu.be/dQw4w9WgXcQ', 'https://youtube.com/watch?v=dQw4w9WgXcQ'],
    ['youtu.be/dQw4w9WgXcQ?t=4', 'https://youtube.com/watch?v=dQw4w9WgXcQ'],
    ['youtu.be/@name', 'https://youtube.com/@name'],
    ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', 'https://youtube.com/watch?v=dQw4w9WgXcQ'],
    ['https://music.youtube.com/channel/UC_x-1', 'https://youtube.com/channel/UC_x-1'],
    ['https://twitter.com/#!/name', 'https://twitter.com/name'],
    ['https://x.com/#!/name', 'https://twitter.com/name'],
    ['https://nitter.net/name', 'https://twitter.com/name'],
    ['https://www.facebook.com/#!/page', 'https://facebook.com/page'],
    ['https://web.facebook.com/page', 'https://facebook.com/page'],
    ['https://mbasic.facebook.com/profile.php?id=42&x=1', 'https://facebook.com/profile.php?id=42'],
    ['https://touch.facebook.com/page', 'https://facebook.com/page'],
    ['https://uk-ua.facebook.com/page', 'https://facebook.com/page'],
    ['https://m.me/some.page', 'https://facebook.com/some.page'],
    // What surrounds the address.
    ['<https://t.me/name>', 'https://t.me/name'],
    ['[News](https://t.me/name)', 'https://t.me/name'],
    ['[https://t.me/name](https://t.me/name)', 'https://t.me/name'],
    ['<a href="https://t.me/name">News</a>', 'https://t.me/name'],
    ['"https://t.me/name"', 'https://t.me/name'],
    ['«https://t.me/name»', 'https://t.me/name'],
    ['(t.me/name)', 'https://t.me/name'],
    ['https://telegram.org/name.', 'https://t.me/name'],
    ['https://facebook.com/profile.php?id=42,', 'https://facebook.com/profile.php?id=42'],
    ['• https://t.me/name', 'https://t.me/name'],
    ['1. t.me/name', 'https://t.me/name'],
    ['Канал: https://t.me/name', 'https://t.me/name'],
    ['News https://t.me/name (https://t.me/name)', 'https://t.me/name'],
    ['Telegram: telegram.org/name', 'https://t.me/name'],
    ['https://t.me/name (News)', 'https://t.me/name'],
    ['https://t.me/name – News', 'https://t.me/name'],
    ['https://t.me/name, News', 'https://t.me/name'],
    ['https:// t.me/name', 'https://t.me/name'],
    ['https://t.me/ name', 'https://t.me/name'],
    ['\u200btelegram.org/na\u200bme', 'https://t.me/name'],
    // Several errors at once.
    ['<htps://telegram.org/name>,', 'https://t.me/name'],
    ['[News](http//www.telegram,org/@name)', 'https://t.me/name'],
  ])('%j is %s', (written, address) => {
    expect(addressFor(written)).toBe(address)
  })

  test.each([
    '',
    'news',
    '@name',
    'no address',
    'https://example.com/page',
    'https://vk.com/group',
    'https://t.me/one https://t.me/two',
    'https://t.me/some na me',
    'https://telegram.org/some name',
    'News: t.me/some name',
    'https://t.me/some na/me',
    'https://t.me/some - name',
    'https://t.me',
    'https://telegram.org',
    'https://telegram.org/faq',
    'https://telegram.org/apps#desktop',
    'https://telegram.org/blog/some-post',
    'https://web.telegram.org/k/#-1001234567',
    'https://youtu.be/',
    'https://vm.tiktok.com/ZMabc/',
    'https://t.me.evil.example/news',
    'https://nott.me/news',
    'https://user@t.me/news',
    'https://t.me:8443/news',
    'ftp://t.me/news',
    'mailto:someone@t.me',
    'javascript:alert(1)',
    'telegram news',
    'https://fb.me/x1',
    'https://facebook.com/profile.php?id=someone',
    '=HYPERLINK("https://evil.example")',
    `https://telegram.org/${'x'.repeat(2_000)}`,
  ])('is not guessed for %j', (written) => {
    expect(addressFor(written)).toBeUndefined()
  })

  test.each(['https://t.me/name', 't.me/name', 'telegram.me/name', 'www.t.me//x', 'm.facebook.com/page'])(
    'is not suggested for %s, which is accepted',
    (written) => expect(addressFor(written)).toBeUndefined(),
  )
})

describe('a country that was clearly meant', () => {
  test.each([
    ['Ukarine', 'Ukraine'],
    ['Ukrain', 'Ukraine'],
    ['UKRIANE', 'Ukraine'],
    ['Украина', 'Україна'],
    ['Укрїана', 'Україна'],
    ['Полща', 'Польща'],
    ['Pland', 'Poland'],
    ['Germny', 'Germany'],
    ['Lativa', 'Latvia'],
    ['Untied Kingdom', 'United Kingdom'],
    ['Swizerland', 'Switzerland'],
    ['Cote dIvoir', "Côte d'Ivoire"],
    ['U.A.', 'UA'],
    ['Ukraine.', 'Ukraine'],
    ['"Ukraine"', 'Ukraine'],
    ['the Ukraine', 'Ukraine'],
    ['🇺🇦', 'Ukraine'],
    ['Ukraine 🇺🇦', 'Ukraine'],
    ['Ukraine (UA)', 'Ukraine'],
    ['Україна / Ukraine', 'Україна'],
    ['UA - Ukraine', 'Ukraine'],
    ['Ukraine, Kyiv', 'Ukraine'],
    ['Guinea, Papua New', 'Papua New Guinea'],
    ['Korea, North', 'North Korea'],
  ])('%j is %s', (written, name) => {
    expect(countryCode(written)).toBeUndefined()
    expect(countryCode(countryFor(written) ?? '')).toBe(countryCode(name))
    expect(countryFor(written)).toBe(name)
  })

  test.each([
    '',
    'Ukraine',
    'UA',
    'Atlantis',
    'X',
    'UAA',
    'Nigera',
    'Austrlia',
    'Irak',
    'Ukraine, Poland',
    'Los Angeles, CA',
    'Atlanta, Georgia',
    '🇺🇦🇵🇱',
    '🇵🇱 Ukraine',
    'Deutschland',
    '=1+1',
    'x'.repeat(LENGTH.country + 1),
  ])('is not guessed for %j', (written) => {
    expect(countryFor(written)).toBeUndefined()
  })
})

test('rows are alike if they have the same wrong country, or addresses with the same error', () => {
  const keys = (written: string[], column: 'url' | 'country') =>
    new Set(written.map((text) => suggestionsFor({ url: '', country: '', [column]: text })[column]?.key))
  expect(keys(['telegram.org/first', 'https://telegram.org/second', 'http://telegram.org/third/'], 'url').size).toBe(1)
  expect(keys(['telegram.org/first', 'youtu.be/dQw4w9WgXcQ', '<t.me/one>'], 'url').size).toBe(3)
  expect(keys(['Ukarine', 'ukarine', ' UKARINE'], 'country').size).toBe(1)
  expect(keys(['Ukarine', 'Ukrain'], 'country').size).toBe(2)
})

describe('any text', () => {
  const PIECES = [
    'https',
    'http',
    ':',
    '//',
    '/',
    '.',
    't.me',
    'telegram.org',
    'web.telegram.org',
    '#@',
    '#!',
    '@',
    'name',
    'youtu.be',
    'facebook',
    '.com',
    'www',
    '<',
    '>',
    '[',
    '](',
    ')',
    ' ',
    '\\',
    ',',
    '?',
    'id=',
    '5',
    'ї',
    '\u200b',
    'tg:',
    '"',
    'href=',
  ]
  const COUNTRIES = [...countryNames().keys()]
  const url = fc.oneof(
    fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  )
  /** Names with a few wrong letters. */
  const country = fc.oneof(
    fc
      .tuple(fc.constantFrom(...COUNTRIES), fc.nat(40), fc.constantFrom('', 'x', 'й', ' ', ','), fc.nat(2))
      .map(([name, at, put, cut]) => name.slice(0, at) + put + name.slice(at + cut)),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  )

  test('is given a suggestion only if it is not accepted, and the suggestion is accepted', () => {
    fc.assert(
      fc.property(url, country, (writtenUrl, writtenCountry) => {
        const found = suggestionsFor({ url: writtenUrl, country: writtenCountry })
        if (found.url) {
          expect(typeof readSource({ url: writtenUrl, country: '' })).toBe('string')
          expect(readSource({ url: found.url.value, country: '' })).toMatchObject({ url: found.url.value })
        }
        if (found.country) {
          expect(readSource({ url: 't.me/name', country: writtenCountry.trim() })).toBe('unknown country')
          expect(readSource({ url: 't.me/name', country: found.country.value })).toMatchObject({
            country: expect.stringMatching(/^[A-Z]{2}$/),
          })
        }
        const corrected = {
          url: found.url?.value ?? writtenUrl,
          country: found.country?.value ?? writtenCountry,
        }
        expect(suggestionsFor(corrected)).toEqual({})
      }),
      { numRuns: RUNS },
    )
  })

  test('is given none if the row is good', () => {
    fc.assert(
      fc.property(fc.constantFrom(...COUNTRIES), fc.stringMatching(/^[a-z]\w{4,20}$/), (name, handle) => {
        const good = { url: `https://t.me/${handle}`, country: name }
        expect(typeof readSource(good)).toBe('object')
        expect(suggestionsFor(good)).toEqual({})
      }),
      { numRuns: RUNS / 5 },
    )
  })

  test('takes little time, however long it is', () => {
    const FILLINGS = [
      ...PIECES,
      '](',
      ') ',
      'a/',
      'w.',
      'www.',
      '@name ',
      't.me/x ',
      '\u0301',
      '🇺🇦',
      'h',
      '. ',
      '<a href="',
    ]
    const starts = ['', 'https://', 'telegram.org/', 'tg: @', '<', '[x](', 'http']
    for (const start of starts) {
      for (const filling of FILLINGS) {
        const long = (start + filling.repeat(LENGTH.link)).slice(0, LENGTH.link)
        const row = { url: long, country: filling.repeat(LENGTH.country).slice(0, LENGTH.country) }
        // The fastest of three runs, because a busy machine can interrupt any of them.
        const times = [1, 2, 3].map(() => {
          const began = performance.now()
          suggestionsFor(row)
          return performance.now() - began
        })
        expect(Math.min(...times), `${start}${filling}`).toBeLessThan(5)
      }
    }
  })
})

describe('the edit distance', () => {
  /** All cells of the matrix. */
  function simple(a: string, b: string) {
    const cells: number[][] = []
    for (let i = 0; i <= a.length; i += 1) {
      cells.push([])
      for (let j = 0; j <= b.length; j += 1) {
        const at = (up: number, left: number) => cells[i - up]?.[j - left] ?? Number.POSITIVE_INFINITY
        const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
        const cost = Math.min(
          i + j === 0 ? 0 : Number.POSITIVE_INFINITY,
          at(1, 0) + 1,
          at(0, 1) + 1,
          at(1, 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
          isSwap ? at(2, 2) + 1 : Number.POSITIVE_INFINITY,
        )
        cells[i]?.push(cost)
      }
    }
    return cells[a.length]?.[b.length] ?? 0
  }

  test('is the same as without the limit, up to the limit', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
    fc.assert(
      fc.property(text, text, fc.nat(4), (a, b, max) => {
        expect(editDistance(a, b, max)).toBe(Math.min(simple(a, b), max + 1))
      }),
      { numRuns: RUNS * 2 },
    )
  })
})

test('every listed country is accepted by its usual name or by its code', () => {
  for (const { code, name, names } of countryList()) {
    expect(countryCode(code)).toBe(code)
    expect(names).toContain(name)
    expect(countryCode(name), name).toBe(code)
  }
})
