import { readSource, type WrittenSource } from '@watchdesk/contract/source-row'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCsv } from '../../../ui/file-reader/csv.ts'
import { collector } from './collector.ts'
import { bodyOf, csvOf, numbersOf } from './corrected.ts'
import type { Change, Column, PreviewRow } from './messages.ts'
import { createSheet } from './sheet.ts'

const nothing = () => {}
const RUNS = Number(process.env.FUZZ_RUNS ?? 100)

async function tableOf(lines: string[]) {
  return (await readCsv(new Blob([lines.join('\n')]), () => collector('csv'), nothing)).finish()
}

/** The same rules without the memory of the preview. */
function createOutcomes() {
  const seen = new Set<string>()
  return (written: WrittenSource) => {
    const source = readSource(written)
    if (typeof source === 'string') return source
    const key = `${source.platform} ${source.url}`
    return seen.size === seen.add(key).size ? 'repeated in the file' : 'requested'
  }
}

async function sheetOf(...lines: string[]) {
  return createSheet(await tableOf(lines), nothing)
}

type Sheet = Awaited<ReturnType<typeof sheetOf>>

const rowsOf = (sheet: Sheet) => sheet.slice(0, 1000)
const outcomes = (sheet: Sheet) => rowsOf(sheet).map(({ row, outcome }) => `${row} ${outcome}`)
const write = (at: number, text: string, column: Column = 'url'): Change => ({ type: 'write', at, column, text })
const skip = (at: number, isSkipped = true): Change => ({ type: 'skip', at, isSkipped })

async function recordsOf(sheet: Sheet) {
  return JSON.parse(await bodyOf(sheet.corrected(), 'me@x.example').text()).sheet_records
}

async function csvLines(sheet: Sheet) {
  return (await csvOf(sheet.corrected()).text()).replace('\uFEFF', '').trimEnd().split('\r\n')
}

describe('an edited row', () => {
  test('is judged again at once, and so are the rows that repeat it or no longer do', async () => {
    const sheet = await sheetOf('source_url', 't.me/one', 'x', 't.me/one', 't.me/two')
    expect(outcomes(sheet)).toEqual(['2 requested', '3 invalid URL', '4 repeated in the file', '5 requested'])
    expect(sheet.change(write(1, 't.me/two'))).toMatchObject({
      counts: { requested: 2, 'repeated in the file': 2 },
      first: { at: 1, column: 'url', row: 3, outcome: 'requested' },
      rows: 1,
      others: 1,
      changedCount: 1,
    })
    expect(outcomes(sheet)).toEqual(['2 requested', '3 requested', '4 repeated in the file', '5 repeated in the file'])
    expect(rowsOf(sheet)[3]).toMatchObject({ repeats: 3, isFixed: false })
    sheet.change(write(0, 't.me/three'))
    expect(outcomes(sheet)).toEqual(['2 requested', '3 requested', '4 requested', '5 repeated in the file'])
    expect(rowsOf(sheet)[1]).toMatchObject({ isFixed: true, before: { url: 'x' }, written: { url: 't.me/two' } })
    expect(rowsOf(sheet)[0]).toMatchObject({ isFixed: false, before: { url: 't.me/one' } })
  })

  test('is unchanged after the text of the file is written back', async () => {
    const sheet = await sheetOf('source_url', 'x')
    expect(sheet.change(write(0, 'y')).changedCount).toBe(1)
    expect(sheet.change(write(0, ' x '))).toMatchObject({ changedCount: 0, rows: 1 })
    expect(sheet.change(write(0, 'x'))).toMatchObject({ changedCount: 0, rows: 0 })
    expect(rowsOf(sheet)[0]?.before).toEqual({})
  })

  test('that is skipped is left out, and does not make another one a repeated one', async () => {
    const sheet = await sheetOf('source_url,note', 't.me/one,a', 't.me/one,b', 'x,c')
    expect(sheet.change(skip(0)).counts).toEqual({ skipped: 1, requested: 1, 'invalid URL': 1 })
    expect(await recordsOf(sheet)).toEqual([
      { source_url: 't.me/one', note: 'b' },
      { source_url: 'x', note: 'c' },
    ])
    expect(await csvLines(sheet)).toEqual(['source_url,note', 't.me/one,b', 'x,c'])
    expect(sheet.change(skip(0, false)).counts).toEqual({ requested: 1, 'repeated in the file': 1, 'invalid URL': 1 })
  })

  test('stays shown until the filter changes', async () => {
    const sheet = await sheetOf('source_url', 'x', 't.me/one', 'y', 't.me/one')
    expect(sheet.filter('problems')).toBe(3)
    sheet.change(write(1, 't.me/two'))
    expect(outcomes(sheet)).toEqual(['2 invalid URL', '4 requested', '5 repeated in the file'])
    expect(sheet.filter('problems')).toBe(2)
    expect(sheet.filter('invalid URL')).toBe(1)
    expect(sheet.filter('skipped')).toBe(0)
    expect(sheet.filter(undefined)).toBe(4)
  })

  test('keeps a text that is too long invalid, and line breaks out of the cell', async () => {
    const sheet = await sheetOf('source_url', 'x', 'y')
    sheet.change(write(0, `t.me/${'x'.repeat(5_000)}`))
    sheet.change(write(1, ' t.me/one\n'))
    expect(outcomes(sheet)).toEqual(['2 invalid URL', '3 requested'])
    expect((await recordsOf(sheet))[1]).toEqual({ source_url: 't.me/one' })
  })
})

describe('undo and redo', () => {
  test('go through all kinds of changes, each as one step', async () => {
    const sheet = await sheetOf(
      'source_url,source_country',
      'telegram.org/first,UA',
      'telegram.org/second,',
      'x,Ukarine',
    )
    await sheet.scan(nothing)
    const seen: PreviewRow[][] = [rowsOf(sheet)]
    const changes: Change[] = [
      write(2, 't.me/three'),
      { type: 'accept all', key: sheet.judged().alike[0]?.key ?? '' },
      { type: 'accept', at: 2, column: 'country' },
      skip(1),
      { type: 'paste', at: 0, column: 'country', text: 'PL\nPL\nPL' },
    ]
    for (const change of changes) {
      expect(sheet.change(change).rows).toBeGreaterThan(0)
      seen.push(rowsOf(sheet))
    }
    expect(seen.at(-1)?.map(({ outcome, country }) => [outcome, country])).toEqual([
      ['requested', 'PL'],
      ['skipped', 'PL'],
      ['requested', 'PL'],
    ])
    for (const rows of seen.slice(0, -1).reverse()) {
      sheet.change({ type: 'undo' })
      expect(rowsOf(sheet)).toEqual(rows)
    }
    expect(sheet.change({ type: 'undo' })).toMatchObject({ rows: 0, canUndo: false, canRedo: true, changedCount: 0 })
    for (const rows of seen.slice(1)) {
      sheet.change({ type: 'redo' })
      expect(rowsOf(sheet)).toEqual(rows)
    }
    expect(sheet.judged()).toMatchObject({ canUndo: true, canRedo: false })
    sheet.change({ type: 'undo' })
    sheet.change(write(0, 't.me/other'))
    expect(sheet.judged().canRedo).toBe(false)
  })
})

describe('suggestions', () => {
  test('are counted for all rows that are alike, and accepted together', async () => {
    const lines = [
      'source_url,source_country',
      'telegram.org/first,Ukarine',
      'http://telegram.org/second,ukarine',
      'x,',
      't.me/y,Pland',
    ]
    const sheet = await sheetOf(...lines)
    const reports: unknown[] = []
    await sheet.scan((found) => reports.push(found))
    const groups = () => sheet.judged().alike.map(({ from, to, count }) => [from, to, count])
    expect(groups()).toEqual([
      ['telegram.org/first', 'https://t.me/first', 2],
      ['Ukarine', 'Ukraine', 2],
      ['Pland', 'Poland', 1],
    ])
    expect(rowsOf(sheet)[1]?.suggestions).toEqual({ url: 'https://t.me/second', country: 'Ukraine' })
    const [first, second] = sheet.judged().alike
    expect(sheet.filter({ alike: first?.key ?? '' })).toBe(2)
    sheet.filter(undefined)
    expect(sheet.change({ type: 'accept all', key: first?.key ?? '' })).toMatchObject({ rows: 2 })
    expect(outcomes(sheet)).toEqual(['2 unknown country', '3 unknown country', '4 invalid URL', '5 unknown country'])
    expect(groups()).toEqual([
      ['Ukarine', 'Ukraine', 2],
      ['Pland', 'Poland', 1],
    ])
    sheet.change(skip(0))
    expect(groups()).toEqual([
      ['ukarine', 'Ukraine', 1],
      ['Pland', 'Poland', 1],
    ])
    sheet.change({ type: 'accept all', key: second?.key ?? '' })
    expect(outcomes(sheet)).toEqual(['2 skipped', '3 requested', '4 invalid URL', '5 unknown country'])
  })

  test('are found while rows are edited', async () => {
    const sheet = await sheetOf('source_url', ...Array.from({ length: 5_000 }, (_, row) => `telegram.org/name_${row}`))
    const done = sheet.scan(nothing)
    sheet.change(write(0, 't.me/name'))
    sheet.change(write(4_999, 't.me/other'))
    await done
    expect(sheet.judged().alike).toMatchObject([{ count: 4_998 }])
    const [group] = sheet.judged().alike
    expect(sheet.change({ type: 'accept all', key: group?.key ?? '' })).toMatchObject({ rows: 4_998, alike: [] })
    expect(sheet.judged().counts).toEqual({ requested: 5_000 })
  })
})

describe('pasted text', () => {
  test('fills the shown rows downwards, also two columns, and what does not fit is reported', async () => {
    const sheet = await sheetOf('source_url,source_country', 'x,', 't.me/one,', 'y,', 'z,')
    sheet.filter('problems')
    const text = 't.me/two\tUA\r\n"t.me/three"\tPoland\textra\r\n'
    expect(sheet.change({ type: 'paste', at: 1, column: 'url', text })).toMatchObject({ rows: 2, left: 0 })
    expect(rowsOf(sheet).map(({ written }) => [written.url, written.country])).toEqual([
      ['x', ''],
      ['t.me/two', 'UA'],
      ['t.me/three', 'Poland'],
    ])
    expect(sheet.change({ type: 'paste', at: 2, column: 'country', text: 'A\nB\nC' })).toMatchObject({
      rows: 1,
      left: 2,
    })
    // A quotation mark that is not closed, and a blank line, which clears the cell.
    sheet.change({ type: 'paste', at: 0, column: 'url', text: '"t.me/a\n\nt.me/b' })
    expect(rowsOf(sheet).map(({ written }) => written.url)).toEqual(['"t.me/a', '', 't.me/b'])
  })
})

describe('the corrected file', () => {
  test('has all columns in order, ignored ones too, and runs no formula', async () => {
    const sheet = await sheetOf(
      'note,Source_URL,source_url,__proto__',
      '"=1+1, ""x""",x,other,p',
      ',t.me/one,,',
      '-5,y,,',
    )
    sheet.change(write(0, '=HYPERLINK("x")'))
    sheet.change(write(2, 't.me/two'))
    expect(await csvLines(sheet)).toEqual([
      'note,Source_URL,source_url,__proto__',
      `"'=1+1, ""x""","'=HYPERLINK(""x"")",other,p`,
      ',t.me/one,,',
      "'-5,t.me/two,,",
    ])
    expect(await recordsOf(sheet)).toEqual([
      { note: '=1+1, "x"', Source_URL: '=HYPERLINK("x")' },
      { Source_URL: 't.me/one' },
      { note: '-5', Source_URL: 't.me/two' },
    ])
  })

  test('gets a column for countries if the file has none and one was chosen', async () => {
    const sheet = await sheetOf('source_url,note', 't.me/one,a', 't.me/two,b')
    sheet.change(write(1, 'Ukraine', 'country'))
    expect(outcomes(sheet)).toEqual(['2 requested', '3 requested'])
    expect(rowsOf(sheet)[1]).toMatchObject({ country: 'UA', before: { country: '' } })
    expect(await csvLines(sheet)).toEqual(['source_url,note,source_country', 't.me/one,a,', 't.me/two,b,Ukraine'])
    expect((await recordsOf(sheet))[1]).toEqual({ source_url: 't.me/two', note: 'b', source_country: 'Ukraine' })
    sheet.change(write(1, '', 'country'))
    expect(await csvLines(sheet)).toEqual(['source_url,note', 't.me/one,a', 't.me/two,b'])
  })
})

describe('row numbers', () => {
  test('are sent with the records only if rows are left out', async () => {
    const sheet = await sheetOf('source_url', 't.me/one', 't.me/two', 't.me/three')
    expect(numbersOf(sheet.corrected())).toBeUndefined()
    sheet.change(skip(1))
    expect(numbersOf(sheet.corrected())).toBe('2,4')
    sheet.change(skip(2))
    expect(numbersOf(sheet.corrected())).toBeUndefined()
    const blank = await sheetOf('', 'source_url', 't.me/one', '', 't.me/two', 't.me/three')
    expect(numbersOf(blank.corrected())).toBe('3,5-6')
  })

  test('stay those of the file in the file of a job, which has blank lines for skipped rows', async () => {
    const sheet = await sheetOf('', 'source_url,note', '"t.me/one\n",a', '', 't.me/two,b', 't.me/three,c', 'x,d')
    sheet.change(skip(1))
    const written = (await csvOf(sheet.corrected(), 'kept').text()).replace('\uFEFF', '')
    const again = createSheet(await tableOf([written]), nothing)
    expect(outcomes(again)).toEqual(['3 requested', '6 requested', '7 invalid URL'])
  })
})

test('after any changes, the outcomes are those of the corrected file', async () => {
  const cell = fc.constantFrom('t.me/one', 'www.t.me/one/', 't.me/two', 'x', 'telegram.org/name', '', 'example.com/x')
  const country = fc.constantFrom('', 'UA', 'Ukarine', 'Atlantis', 'Poland')
  const at = fc.nat(7)
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.record({ type: fc.constant('write'), at, column: fc.constant('url'), text: cell }),
    fc.record({ type: fc.constant('write'), at, column: fc.constant('country'), text: country }),
    fc.record({ type: fc.constant('skip'), at, isSkipped: fc.boolean() }),
    fc.record({ type: fc.constant('accept'), at, column: fc.constantFrom('url', 'country') }),
    fc.record({ type: fc.constantFrom('undo', 'redo') }),
  )
  const line = fc.tuple(cell, country).map(([url, name]) => `${url},${name},n`)
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 8, maxLength: 8 }),
      fc.array(change, { maxLength: 15 }),
      async (lines, changes) => {
        const sheet = await sheetOf('source_url,source_country,note', ...lines)
        await sheet.scan(nothing)
        for (const one of changes) sheet.change(one)
        const outcomeOf = createOutcomes()
        const kept = rowsOf(sheet).filter(({ outcome }) => outcome !== 'skipped')
        expect(kept.map(({ outcome }) => outcome)).toEqual(kept.map(({ written }) => outcomeOf(written)))
        const again = createSheet(await tableOf(await csvLines(sheet)), nothing)
        expect(rowsOf(again).map(({ written, outcome }) => ({ written, outcome }))).toEqual(
          kept.map(({ written, outcome }) => ({ written, outcome })),
        )
        expect(await recordsOf(again)).toEqual(await recordsOf(sheet))
        const numbered = (await csvOf(sheet.corrected(), 'kept').text()).replace('\uFEFF', '')
        expect(rowsOf(createSheet(await tableOf([numbered]), nothing)).map(({ row }) => row)).toEqual(
          kept.map(({ row }) => row),
        )
        const { counts } = sheet.judged()
        expect(Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0)).toBe(8)
      },
    ),
    { numRuns: RUNS },
  )
})
