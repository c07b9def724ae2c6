import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { readTableFile } from '../../../ui/file-reader/read-table-file.ts'
import { storiesChecker } from './check-stories.ts'

const HEADER = ['Narrative_ID', 'message_composite_id', 'extra', 'story', 'sentiment_score']
type Row = (string | number)[]

async function files(rows: Row[]) {
  const table = [HEADER, ...rows]
  const sheet = await writeXlsx({ sheets: [{ name: 'Sheet', rows: table }] })
  return [
    new File([table.map((cells) => `${cells.join(';')}\n`).join('')], 'stories.csv'),
    new File([new Uint8Array(sheet)], 'stories.XLSX'),
  ]
}

const resultOf = async (file: File) => (await readTableFile(file, storiesChecker)).result()

async function checkOf(file: File) {
  const result = await resultOf(file)
  return result.phase === 'ready' ? result.check : undefined
}

const FAULTS =
  'narrative_id must be a whole number; message_composite_id is required; sentiment_score must be a number or empty'

test('describes a CSV or XLSX file and the rows to check', async () => {
  const rows: Row[] = [
    [12, 'TELEGRAM:POST:1', '', 'Bread', 0.5],
    ['7.0', 'vk_comment_2', '', 'Bread', -1],
    [7, '48213', '', 'Bread', '-0,4'],
    [7, 'TELEGRAM:48213', '', 'Bread', 1.5],
    ['seven', '', '', 'Bread', 'high'],
    [7, 'TIKTOK-VIDEO-9', '', 'Bread', ''],
  ]
  for (const file of await files(rows)) {
    expect(await checkOf(file)).toEqual({
      rows: 6,
      narrative_ids: [7, 12],
      refused: {
        count: 1,
        examples: [{ row: 6, text: FAULTS }],
      },
      wrongIds: {
        count: 2,
        examples: [
          { row: 4, text: '48213' },
          { row: 5, text: 'TELEGRAM:48213' },
        ],
      },
      wrongSentiments: {
        count: 1,
        examples: [{ row: 5, text: '1.5' }],
      },
    })
  }
})

test('lists the first five rows, counts the others and truncates long texts', async () => {
  const rows = Array.from({ length: 40 }, () => [1, 'x'.repeat(500), '', 'Bread', 100])
  for (const file of await files(rows)) {
    const check = await checkOf(file)
    expect(check?.wrongIds).toMatchObject({ count: 40 })
    expect(check?.wrongIds.examples).toHaveLength(5)
    expect(check?.wrongIds.examples[0]).toEqual({ row: 2, text: 'x'.repeat(60) })
    expect(check?.wrongSentiments.count).toBe(40)
  }
})

test('reports missing and duplicate columns in the words of the import', async () => {
  const NAMES = 'Its first row must contain narrative_id, message_composite_id, story, sentiment_score.'
  for (const [header, message] of [
    ['narrative_id,message_composite_id,story', `The file is missing the column sentiment_score. ${NAMES}`],
    ['narrative_id,story', `The file is missing the columns message_composite_id, sentiment_score. ${NAMES}`],
    ['narrative_id,message_composite_id,story,story,sentiment_score', 'The file has more than one column story.'],
  ] as const) {
    expect(await resultOf(new File([`${header}\n1,a,b,c,d\n`], 'a.csv'))).toEqual({ phase: 'invalid', message })
  }
})

test.each([
  ['', 'The file is empty.'],
  [`${HEADER.join(',')}\n`, 'The file has no rows below its column names.'],
])('reports that %j has nothing to import', async (text, message) => {
  expect(await resultOf(new File([text], 'a.csv'))).toEqual({ phase: 'invalid', message })
})
