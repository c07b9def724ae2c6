import { describe, expect, test } from 'vitest'
import type { SheetRecord } from './source-import.ts'
import { readAddress, readSource, sourceColumns, writtenIn } from './source-row.ts'

describe('an address', () => {
  test.each([
    ['https://t.me/news', 'TELEGRAM', 'https://t.me/news'],
    ['http://t.me/news', 'TELEGRAM', 'https://t.me/news'],
    ['t.me/news', 'TELEGRAM', 'https://t.me/news'],
    ['  HTTPS://T.ME/News/  ', 'TELEGRAM', 'https://t.me/news'],
    ['https://telegram.me/news?before=5#top', 'TELEGRAM', 'https://t.me/news'],
    ['https://www.facebook.com/some.page//', 'FACEBOOK', 'https://facebook.com/some.page'],
    ['https://t.me//news', 'TELEGRAM', 'https://t.me/news'],
    ['https://www.youtube.com//channel///UC_x-1/?a=//', 'YOUTUBE', 'https://youtube.com/channel/UC_x-1'],
    ['m.facebook.com/some.page?ref=x', 'FACEBOOK', 'https://facebook.com/some.page'],
    ['https://fb.com/some.page', 'FACEBOOK', 'https://facebook.com/some.page'],
    ['https://www.facebook.com/profile.php?x=1&id=42', 'FACEBOOK', 'https://facebook.com/profile.php?id=42'],
    ['https://www.facebook.com/profile.php/?id=42', 'FACEBOOK', 'https://facebook.com/profile.php?id=42'],
    ['https://x.com/someone', 'TWITTER', 'https://twitter.com/someone'],
    ['https://mobile.twitter.com/someone', 'TWITTER', 'https://twitter.com/someone'],
    ['https://www.tiktok.com/@some.one?lang=uk', 'TIKTOK', 'https://tiktok.com/@some.one'],
    ['https://www.youtube.com/@channel', 'YOUTUBE', 'https://youtube.com/@channel'],
    ['https://m.youtube.com/channel/UC_x-1', 'YOUTUBE', 'https://youtube.com/channel/UC_x-1'],
    ['https://youtube.com/watch?t=3&v=a-B_1', 'YOUTUBE', 'https://youtube.com/watch?v=a-B_1'],
    ['https://youtube.com/playlist?list=PL1', 'YOUTUBE', 'https://youtube.com/playlist?list=PL1'],
    ['https://t.me/канал', 'TELEGRAM', 'https://t.me/%D0%BA%D0%B0%D0%BD%D0%B0%D0%BB'],
  ])('%s is of %s, and stored as %s', (written, platform, url) => {
    expect(readAddress(written)).toEqual({ platform, url })
    expect(readAddress(url)).toEqual({ platform, url })
  })

  test.each([
    ['t.me/BBCNews', 't.me/bbcnews'],
    ['t.me/s/BBCNews/12', 't.me/s/bbcnews/12'],
    ['facebook.com/Some.Page', 'facebook.com/some.page'],
    ['facebook.com/Groups/Neighbours', 'facebook.com/groups/neighbours'],
    ['x.com/SomeOne', 'twitter.com/someone'],
    ['x.com/SomeOne/status/12', 'twitter.com/someone/status/12'],
    ['tiktok.com/@Some.One', 'tiktok.com/@some.one'],
    ['youtube.com/@SomeOne', 'youtube.com/@someone'],
    ['youtube.com/c/SomeOne', 'youtube.com/c/someone'],
    ['youtube.com/user/SomeOne', 'youtube.com/user/someone'],
  ])('%s is the same as %s, because the platform compares handles without case', (written, same) => {
    expect(readAddress(written)).toMatchObject({ url: `https://${same}` })
  })

  test.each([
    't.me/+AbCdEfGh',
    't.me/joinchat/AbCdEfGh',
    'facebook.com/share/AbCd',
    'facebook.com/page/posts/pfbid0AbC',
    'tiktok.com/t/ZTRabC',
    'youtube.com/channel/UC_x-1',
    'youtube.com/watch?v=a-B_1',
    'youtube.com/shorts/AbC',
  ])('%s keeps its case, because it contains an id', (written) => {
    expect(readAddress(written)).toMatchObject({ url: `https://${written}` })
  })

  test.each([
    '',
    ' ',
    'news',
    '@news',
    'two words',
    'https://t.me/two words',
    'https://t.me',
    'https://t.me/',
    'https://t.me/?x=1',
    'https://www.facebook.com/profile.php',
    'https://www.facebook.com/profile.php?id=someone',
    'https://youtube.com/watch',
    'ftp://t.me/news',
    'javascript:alert(1)',
    'mailto:someone@t.me',
    'https://user@t.me/news',
    'https://t.me:8443/news',
    'https://127.0.0.1/news',
    'https://[::1]/news',
    'https://localhost/news',
    'https:\\\\t.me\\news',
    'https://t.me/a\0b',
    'https://t.me/\ud800',
    `https://t.me/${'x'.repeat(2_000)}`,
    `https://t.me/${'ї'.repeat(400)}`,
    '#REF!',
    '=HYPERLINK("https://t.me/news")',
  ])('%j is an invalid URL', (written) => {
    expect(readAddress(written)).toBe('invalid URL')
  })

  test.each([
    'https://example.com/page',
    'https://vk.com/group',
    'https://ok.ru/group',
    'https://t.me.evil.example/news',
    'https://nott.me/news',
    'https://youtu.be/abc',
    'https://m.me/page',
    'example.com',
  ])('%s is of no platform that can be imported', (written) => {
    expect(readAddress(written)).toBe('unsupported platform')
  })

  test('is parsed quickly, whatever it contains', () => {
    const paths = ['/'.repeat(1900), '/a'.repeat(950), '.'.repeat(1900), '%2f'.repeat(600), '[('.repeat(900)]
    for (const path of paths) {
      for (let count = 0; count < 1000; count += 1) readAddress(`https://t.me/${path}x${count}`)
      for (let count = 0; count < 1000; count += 1) readAddress(`https://t.me/${count}${path}`)
    }
    expect(readAddress(`https://t.me/${'/'.repeat(1900)}x`)).toMatchObject({ platform: 'TELEGRAM' })
    expect(readAddress(`https://${'m.'.repeat(900)}facebook.com/page`)).toBe('invalid URL')
    expect(readAddress('https://www.m.facebook.com/page')).toMatchObject({ url: 'https://facebook.com/page' })
  })

  test('must belong to the given platform, or to any host for WEB', () => {
    expect(readAddress('https://vk.com/group', 'VK')).toEqual({ platform: 'VK', url: 'https://vk.com/group' })
    expect(readAddress('https://t.me/news', 'VK')).toBe('unsupported platform')
    expect(readAddress('https://www.example.com/', 'WEB')).toEqual({ platform: 'WEB', url: 'https://example.com' })
    expect(readAddress('https://t.me/news', 'WEB')).toEqual({ platform: 'WEB', url: 'https://t.me/news' })
  })
})

describe('rows', () => {
  const columns = { url: 'source_url', country: 'source_country' }
  const read = (record: SheetRecord, found = columns) => {
    const written = writtenIn(record, found)
    return { written, source: readSource(written) }
  }

  test.each([
    [{ source_url: 'https://t.me/news', source_country: 'Україна' }, { country: 'UA' }],
    [{ source_url: 'https://www.t.me/news/?x', source_country: 'PL' }, { country: 'PL' }],
    [{ source_url: 'https://t.me/other' }, { country: null }],
    [{ source_url: 'https://t.me/third', source_country: '' }, { country: null }],
  ])('%j has a source', (record, source) => {
    expect(read(record).source).toMatchObject(source)
  })

  test.each<[SheetRecord, string]>([
    [{ source_url: 'https://t.me/third', source_country: 'Atlantis' }, 'unknown country'],
    [{ source_url: 'https://example.com/', source_country: 'Atlantis' }, 'unsupported platform'],
    [{ source_country: 'UA' }, 'invalid URL'],
    [{ source_url: true, source_country: 4 }, 'invalid URL'],
  ])('%j has none, because of its %s', (record, outcome) => {
    expect(read(record).source).toBe(outcome)
  })

  test('keep the beginning of a text that is too long, and stay invalid', () => {
    const row = read({ source_url: `t.me/${'x'.repeat(50_000)}`, source_country: 'UA' })
    expect(row).toMatchObject({ source: 'invalid URL', written: { country: 'UA' } })
    expect(row.written.url).toBe(`t.me/${'x'.repeat(1995)}…`)
    const other = read({ source_url: 't.me/x', source_country: '🇺🇦'.repeat(100_000) })
    expect(other.source).toBe('unknown country')
    expect(other.written.country).toBe(`${'🇺🇦'.repeat(25)}…`)
  })

  test('ignore inherited properties of a record', () => {
    const row = read({}, { url: 'constructor', country: 'toString' })
    expect(row).toEqual({ written: { url: '', country: '' }, source: 'invalid URL' })
  })

  test('match columns case-insensitively, and use the first of two matches', () => {
    expect(sourceColumns(['Note', ' Source_URL', 'SOURCE_COUNTRY '])).toEqual({
      url: ' Source_URL',
      country: 'SOURCE_COUNTRY ',
    })
    expect(sourceColumns(['source_url', 'Source_Url'])).toEqual({ url: 'source_url', country: undefined })
    expect(sourceColumns(['url', 'source_country'])).toBeUndefined()
  })
})
