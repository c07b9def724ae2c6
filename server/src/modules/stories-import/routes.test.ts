import { errorText } from '@watchdesk/contract/errors'
import type { StoriesImportResult } from '@watchdesk/contract/stories-import'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { formOf } from '../../../test/helpers/form.ts'
import { FIRST_ADMIN } from '../../../test/helpers/people.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { workbook, workbookOf } from '../../../test/helpers/workbook.ts'

const watchdesk = useWatchdesk({}, { isListening: true })
const PATH = '/api/v1/stories-import/from-file'
const HEADER = 'narrative_id,message_composite_id,story,sentiment_score'
let last = 0

/** A narrative id that no other test uses. */
function narrative() {
  last += 1
  return last
}

type Sent = { name?: string; remove?: string; key?: string }

async function send(content: string | Buffer, { name = 'stories.csv', remove, key }: Sent = {}) {
  const response = await fetch(watchdesk.url + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${watchdesk.admin.token}`, ...(key && { 'idempotency-key': key }) },
    body: formOf(name, content, remove === undefined ? {} : { delete_existing_stories: remove }),
  })
  const body = (await response.json()) as StoriesImportResult & { detail: unknown }
  return { status: response.status, body, text: response.ok ? '' : errorText(body) }
}

const csv = (...rows: string[]) => [HEADER, ...rows].join('\n')

function stories(narrative_id: number) {
  return watchdesk.database.db
    .selectFrom('stories')
    .select(['message_composite_id', 'story', 'sentiment_score', 'platform', 'content_type'])
    .where('narrative_id', '=', narrative_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}
const texts = async (id: number) => (await stories(id)).map(({ story }) => story)

const summary = (narrative_id: number, imported: number, repeated = 0, deleted = 0) => ({
  narrative_id,
  imported_stories_count: imported,
  repeated_stories_count: repeated,
  deleted_stories_count: deleted,
})

function done(stored_count: number, ...summaries: ReturnType<typeof summary>[]) {
  const verification = expect.objectContaining({ expected_count: stored_count, stored_count, is_equal: true })
  return { summaries, import_id: expect.any(Number), verification }
}

test('stories are imported into narratives, which are created, and counted by narrative in id order', async () => {
  const [a, b] = [narrative(), narrative()]
  const rows = [
    `${b},TELEGRAM:POST:1,Друга,0.5`,
    `${a},vk_comment_2,"First, with a ""quote"" and\ta tab",`,
    `${b},x,C:\\new\\N,-1e-3`,
  ]
  const { status, body } = await send(csv(...rows))
  expect([status, body]).toEqual([200, done(3, summary(a, 1), summary(b, 2))])
  expect(await stories(a)).toEqual([
    {
      message_composite_id: 'vk_comment_2',
      story: 'First, with a "quote" and\ta tab',
      sentiment_score: null,
      platform: 'VK',
      content_type: 'COMMENT',
    },
  ])
  expect(await stories(b)).toEqual([
    {
      message_composite_id: 'TELEGRAM:POST:1',
      story: 'Друга',
      sentiment_score: 0.5,
      platform: 'TELEGRAM',
      content_type: 'POST',
    },
    { message_composite_id: 'x', story: 'C:\\new\\N', sentiment_score: -0.001, platform: null, content_type: null },
  ])
})

test('a workbook is imported like a CSV file', async () => {
  const id = narrative()
  const rows = [
    HEADER.split(','),
    [`${id}`, 'TIKTOK|VIDEO|1', 'Відео\nу два рядки', '0.25'],
    [],
    [`${id}.0`, 'm', 'Next', ''],
  ]
  const { status, body } = await send(await workbookOf(rows), { name: 'Stories.XLSX' })
  expect([status, body]).toEqual([200, done(2, summary(id, 2))])
  expect(await texts(id)).toEqual(['Відео\nу два рядки', 'Next'])
})

test('columns may be in any order and case, with extra columns', async () => {
  const id = narrative()
  const file = ` Story ;extra;SENTIMENT_SCORE;Narrative_Id;message_composite_ID;extra\nText;x;0,5;${id};m-1;y`
  expect((await send(file)).body).toEqual(done(1, summary(id, 1)))
  expect(await stories(id)).toMatchObject([{ story: 'Text', sentiment_score: 0.5, message_composite_id: 'm-1' }])
})

test('the same message and text in a narrative is one story, within a file and across files', async () => {
  const id = narrative()
  const file = csv(`${id},m,Text,`, `${id},m,Text,0.1`, `${id},m,Other,`, `${id},n,Text,`)
  expect((await send(file)).body.summaries).toEqual([summary(id, 3, 1)])
  expect((await send(file)).body.summaries).toEqual([summary(id, 0, 4)])
  expect((await send(csv(`${id},mT,ext,`, `${id},m,Text2,`))).body.summaries).toEqual([summary(id, 2)])
  expect(await texts(id)).toEqual(['Text', 'Other', 'Text', 'ext', 'Text2'])
})

test('existing stories of the narratives in the file are removed on request, others are not', async () => {
  const [id, other] = [narrative(), narrative()]
  await send(csv(`${id},m,Old,`, `${id},m,Kept,`, `${other},m,Other,`))
  expect((await send(csv(`${id},m,New,`), { remove: 'false' })).body.summaries).toEqual([summary(id, 1)])
  const { body } = await send(csv(`${id},m,Kept,`, `${id},m,Newer,`), { remove: 'true' })
  expect(body.summaries).toEqual([summary(id, 2, 0, 3)])
  expect(await texts(id)).toEqual(['Kept', 'Newer'])
  expect(await texts(other)).toEqual(['Other'])
})

test('the stories that would be deleted are counted in advance, for any number of narratives', async () => {
  const [two, none] = [narrative(), narrative()]
  await send(csv(`${two},TELEGRAM:POST:1,One,`, `${two},TELEGRAM:POST:2,Two,`))
  const count = (query: string) => watchdesk.admin('GET', `/api/v1/stories-import/story-counts${query}`)
  expect(await count(`?narrative_ids=${none},${two}`)).toMatchObject({
    status: 200,
    body: {
      counts: [
        { narrative_id: none, stories_count: 0 },
        { narrative_id: two, stories_count: 2 },
      ],
    },
  })
  expect((await count('')).body).toEqual({ counts: [] })
  const thousand = Array.from({ length: 1000 }, (_, index) => 2_147_483_647 - index)
  expect((await count(`?narrative_ids=${thousand}`)).status).toBe(200)
  expect((await count(`?narrative_ids=${[...thousand, 1]}`)).status).toBe(422)
  expect((await count('?narrative_ids=x')).status).toBe(422)
})

describe('a file with an invalid row changes nothing', () => {
  test('and the error lists the first ten invalid rows and the number of others', async () => {
    const id = narrative()
    await send(csv(`${id},m,Old,`))
    const bad = Array.from({ length: 33 }, () => 'x,m,Text,')
    const { status, text } = await send(csv(`${id},m,New,`, ...bad, `${id},m,Newer,`), { remove: 'true' })
    const rows = Array.from({ length: 10 }, (_, index) => `Row ${index + 3}: narrative_id must be a whole number`)
    expect([status, text]).toEqual([422, [...rows, '… and 23 more rows.'].join('\n')])
    expect(await texts(id)).toEqual(['Old'])
  })

  test('and row numbers are those of the spreadsheet', async () => {
    const { text } = await send(csv('1,m,"two\nlines",', '', ',,,', '1,m,s,bad'))
    expect(text).toBe('Row 5: sentiment_score must be a number or empty')
    const rows = await workbookOf([HEADER.split(','), [], ['1', 'm', 's', 'bad']])
    expect((await send(rows, { name: 'a.xlsx' })).text).toBe('Row 3: sentiment_score must be a number or empty')
  })

  const NAMES = 'Its first row must contain narrative_id, message_composite_id, story, sentiment_score.'
  test.each([
    ['', 'The file is empty.'],
    ['\ufeff\n\n', 'The file is empty.'],
    [HEADER, 'The file has no rows below its column names.'],
    [`${HEADER}\n\n,,,\n`, 'The file has no rows below its column names.'],
    ['narrative_id,story,sentiment_score\n1,s,', `The file is missing the column message_composite_id. ${NAMES}`],
    [
      'a,b\n1,2',
      `The file is missing the columns narrative_id, message_composite_id, story, sentiment_score. ${NAMES}`,
    ],
    [`${HEADER},Story\n1,m,s,,t`, 'The file has more than one column story.'],
    [`${HEADER}\n1,m,"s,\n`, 'Row 2: a quotation mark is opened and never closed.'],
    [
      `__proto__,constructor,${HEADER},toString\nx,x,bad`,
      'Row 2: narrative_id must be a whole number; message_composite_id is required; story is required',
    ],
  ])('as with the text %j', async (text, message) => {
    const response = await send(text)
    expect([response.status, response.text]).toEqual([422, message])
  })

  test('and neither does one with too many narratives', async () => {
    const rows = Array.from({ length: 10_001 }, (_, index) => `${index + 1_000_000},m,s,`)
    expect((await send(csv(...rows))).text).toBe(
      'The file contains more than 10,000 narratives. Split it into smaller files.',
    )
  })

  test('and creates no event, no narrative and no key', async () => {
    const before = await counts()
    await send(csv('987654,m,s,', 'x,m,s,'), { key: 'key-of-a-bad-file' })
    expect(await counts()).toEqual(before)
    const good = await send(csv(`${narrative()},m,s,`), { key: 'key-of-a-bad-file' })
    expect(good.status).toBe(200)
  })
})

async function counts() {
  const { rows } = await sql`select (select count(*) from audit_events) as events,
    (select count(*) from narratives) as narratives, (select count(*) from idempotency_keys) as keys,
    (select count(*) from stories) as stories`.execute(watchdesk.database.db)
  return rows[0]
}

test('an import creates one event with its result', async () => {
  const id = narrative()
  await send(csv(`${id},m,s,`, `${id},m,s,`), { name: 'week 46.csv' })
  const event = await watchdesk.database.db
    .selectFrom('audit_events')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(event).toMatchObject({
    actor_id: FIRST_ADMIN.id,
    action: 'import',
    entity: 'stories',
    entity_id: expect.any(Number),
  })
  const details = Object.fromEntries(Object.entries(event.changes).map(([name, { after }]) => [name, after]))
  expect(details).toEqual({
    file: 'week 46.csv',
    narrative_ids: [id],
    narratives_count: 1,
    imported_stories_count: 1,
    repeated_stories_count: 1,
    deleted_stories_count: 0,
  })
})

describe('sent again', () => {
  test('with the same key it runs once and returns the same response, also concurrently', async () => {
    const id = narrative()
    const file = csv(`${id},m,One,`, `${id},m,Two,`)
    const before = await counts()
    const options = { remove: 'true', key: 'the-same-key' }
    const responses = await Promise.all(Array.from({ length: 6 }, () => send(file, options)))
    responses.push(await send(file, options))
    for (const { status, body } of responses) expect([status, body]).toEqual([200, done(2, summary(id, 2))])
    const after = await counts()
    expect(after).toEqual({
      events: Object(before).events + 1,
      narratives: Object(before).narratives + 1,
      keys: Object(before).keys + 1,
      stories: Object(before).stories + 2,
    })
  })

  test('with the same key, another file or another option is rejected', async () => {
    const id = narrative()
    await send(csv(`${id},m,One,`), { key: 'taken-key' })
    for (const response of [
      await send(csv(`${id},m,Two,`), { key: 'taken-key' }),
      await send(csv(`${id},m,One,`), { key: 'taken-key', remove: 'true' }),
    ]) {
      expect([response.status, response.text]).toEqual([
        422,
        'This Idempotency-Key was already used for another request.',
      ])
    }
    expect(await texts(id)).toEqual(['One'])
  })

  test('without a key, concurrent imports of the same narratives end as if run one after the other', async () => {
    const ids = Array.from({ length: 20 }, narrative)
    const rows = (text: string) => ids.map((id) => `${id},m,${text},`)
    const files = Array.from({ length: 8 }, (_, index) => {
      const half = index % 2 === 0 ? rows('Even') : rows('Odd')
      return csv(...(index % 4 < 2 ? half : half.reverse()))
    })
    const responses = await Promise.all(files.map((file) => send(file, { remove: 'true' })))
    expect(responses.map(({ status }) => status)).toEqual(files.map(() => 200))
    const left = await Promise.all(ids.map(texts))
    expect(new Set(left.map((list) => list.join())).size).toBe(1)
    expect(left[0]).toHaveLength(1)
  })
})

test('a workbook with an invalid cell reference in a required column fails with an error', async () => {
  const sheet = `<row r="1">${HEADER.split(',')
    .map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`)
    .join('')}</row><row r="2"><c t="s"><v>9</v></c></row>`
  const { status, text } = await send(await workbook(sheet), { name: 'a.xlsx' })
  expect([status, text]).toEqual([
    422,
    'The workbook is damaged: the text of a cell is missing. Open it in a spreadsheet program and save it again as .xlsx.',
  ])
})
