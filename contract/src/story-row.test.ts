import { describe, expect, test } from 'vitest'
import { STORIES_COLUMNS } from './stories-import.ts'
import { originOf, type Places, placesOf, readStory } from './story-row.ts'

const places = placesOf(STORIES_COLUMNS) as Places
const read = (row: string) => readStory(places, row.split(','))

describe('a row is a story', () => {
  test.each([
    ['1,m,s,', { narrative_id: 1, message_composite_id: 'm', story: 's', sentiment_score: null }],
    ['2147483647,m,s', { narrative_id: 2147483647, sentiment_score: null }],
    [' 007 , m , s , 1 ', { narrative_id: 7, message_composite_id: 'm', story: 's', sentiment_score: 1 }],
    ['17.0,m,s,-0.25', { narrative_id: 17, sentiment_score: -0.25 }],
    ['1,m,s,+1e-3', { sentiment_score: 0.001 }],
    ['1,m,s,.5', { sentiment_score: 0.5 }],
  ])('%s', (row, story) => {
    expect(read(row)).toMatchObject(story)
  })

  test('with a decimal comma', () => {
    expect(readStory(places, ['1', 'm', 's', '-0,5'])).toMatchObject({ sentiment_score: -0.5 })
  })
})

describe('a row is rejected', () => {
  test.each(
    Object.entries({
      'narrative_id must be a whole number': [
        ...['0,m,s,', '-1,m,s,', '1.5,m,s,', '2147483648,m,s,', '1e2,m,s,', '0x1,m,s,', '١,m,s,', ',m,s,'],
      ],
      'message_composite_id is required': ['1,,s,', '1, ,s,'],
      'story is required': ['1,m,,', '1,m, '],
      'message_composite_id is required; story is required': ['1'],
      'sentiment_score must be a number or empty': [
        ...['high', 'NaN', 'Infinity', '1e999', '0x1', '1 000'].map((score) => `1,m,s,${score}`),
      ],
      'message_composite_id must not contain the NUL character': ['1,m\0,s,'],
      'story must not contain the NUL character': ['1,m,s\0t,'],
      'message_composite_id must have at most 1,000 characters': [`1,${'m'.repeat(1001)},s,`],
      'story must have at most 100,000 characters': [`1,m,${'s'.repeat(100_001)},`],
      'narrative_id must be a whole number; message_composite_id is required; story is required; sentiment_score must be a number or empty':
        [',,,x'],
    }).flatMap(([fault, rows]) => rows.map((row) => [row, fault])),
  )('%.40s', (row = '', fault) => {
    expect(read(row)).toBe(fault)
  })
})

test.each([
  ['TELEGRAM:POST:77', 'TELEGRAM', 'POST'],
  ['77_comment_vk', 'VK', 'COMMENT'],
  ['ok/repost/1', 'OK', 'REPOST'],
  ['Video|YouTube|x', 'YOUTUBE', 'VIDEO'],
  ['web-article-2026-11-15', 'WEB', 'ARTICLE'],
  ['facebook:twitter:ad', 'FACEBOOK', 'AD'],
  ['telegrams:posts', null, null],
  ['constructor:__proto__', null, null],
])('%s is from %s, as %s', (id, platform, content_type) => {
  expect(originOf(id)).toEqual({ platform, content_type })
})
