import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { Login } from './auth/session.schema.ts'
import { ExecutionDate, Vectorization } from './narratives-vectorization.schema.ts'
import { SourceImport } from './source-import.schema.ts'
import { SOURCE_IMPORT_MESSAGES } from './source-import.ts'
import { SourcesExportRequest, SourcesImportRequest } from './source-management.schema.ts'
import { StoriesImport } from './stories-import.schema.ts'
import { summaryText } from './stories-import.ts'

function messages(schema: z.ZodType, value: unknown) {
  return schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []
}

test('signing in needs an email address and a password of limited length', () => {
  const email = 'admin@watchdesk.local'
  expect(messages(Login, {})).toEqual(['Email is required!', 'Password is required!'])
  expect(messages(Login, { email: ' ', password: '' })).toEqual(
    expect.arrayContaining(['Email is required!', 'Password is required!']),
  )
  expect(messages(Login, { email: 'admin', password: 'x' })).toEqual(['Email must be a valid email address.'])
  expect(messages(Login, { email, password: 'ї'.repeat(512) })).toEqual([])
  expect(messages(Login, { email, password: 'ї'.repeat(513) })).toEqual(['At most 1,024 bytes.'])
})

describe('source management', () => {
  test.each([
    ['import', SourcesImportRequest],
    ['export', SourcesExportRequest],
  ] as const)('%s needs a platform, one of the nine, and its own type', (type, schema) => {
    expect(messages(schema, { type })).toEqual(['Platform is required!'])
    expect(messages(schema, { type, platform: null })).toEqual(['Platform is required!'])
    expect(messages(schema, { type, platform: 'MYSPACE' })).toHaveLength(1)
    expect(messages(schema, { type: 'delete', platform: 'VK' })).toHaveLength(1)
    expect(messages(schema, { type, platform: 'VK' })).toEqual([])
  })
})

describe('source import', () => {
  const email = 'olena@example.com'
  const sheet_url = 'https://docs.google.com/spreadsheets/d/abc/edit'

  test('accepts either a sheet or records, not both', () => {
    expect(messages(SourceImport, { email, sheet_url, sheet_records: null })).toEqual([])
    expect(messages(SourceImport, { email, sheet_url: null, sheet_records: [{ source_url: 'x' }] })).toEqual([])
    expect(messages(SourceImport, { email, sheet_url: null, sheet_records: null })).toEqual([
      'Please enter URL or upload CSV file.',
    ])
    expect(messages(SourceImport, { email, sheet_url, sheet_records: [] })).toHaveLength(1)
  })

  test.each([
    'http://docs.google.com/spreadsheets/d/abc',
    'https://docs.google.com.evil.example/spreadsheets/d/abc',
    'https://evil.example/https://docs.google.com/spreadsheets/d/abc',
    'https://docs.google.com/document/d/abc',
    'https://docs.google.com/spreadsheets/../document/d/abc',
    'https://docs.google.com:8443/spreadsheets/d/abc',
    'https://user@docs.google.com/spreadsheets/d/abc',
    'https://docs.google.com@evil.example/spreadsheets/',
    'docs.google.com/spreadsheets',
    '',
  ])('the URL %j is refused with the address that it must start with', (url) => {
    expect(messages(SourceImport, { email, sheet_url: url, sheet_records: null })).toEqual([
      'URL must start with https://docs.google.com/spreadsheets/',
    ])
  })

  test('the texts are those of the specification', () => {
    expect(SOURCE_IMPORT_MESSAGES).toMatchObject({
      wrong_type: 'File must be of type csv or xlsx.',
      empty_csv_header: 'CSV contains empty column names.',
      empty_xlsx_header: 'XLSX contains empty column names.',
      nothing_given: 'Please enter URL or upload CSV file.',
      reading_failed: 'An error occurred while reading the file.',
      advice: 'Try again later or contact developers.',
    })
    const { mismatch, parsed, requested, call_failed, lookup_failed } = SOURCE_IMPORT_MESSAGES
    expect(mismatch([2, 5])).toBe('Invalid file! Header values mismatch in rows: 2, 5.')
    expect(mismatch(Array.from({ length: 12 }, (_, row) => row + 1))).toBe(
      'Invalid file! Header values mismatch in rows: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10.',
    )
    expect(parsed(7)).toBe('Loaded and parsed file into array of 7 records.')
    expect(requested(3, 7)).toBe('Requested import for 3 of 7 inputs:')
    expect(call_failed('time-out')).toBe('Could not import sources due to error: time-out.')
    expect(lookup_failed('time-out')).toBe('Could not authenticate due to error: time-out.')
  })
})

test('stories import needs a file and returns the number of stories by narrative', () => {
  expect(messages(StoriesImport, {})).toEqual(['File is required'])
  expect(messages(StoriesImport, { file: new File(['x'], 'stories.csv') })).toEqual([])
  expect(summaryText({ narrative_id: 7, imported_stories_count: 12 })).toBe('12 stories imported into narrative 7')
})

test('vectorization needs a narrative, known platforms and content types; its status needs an execution date', () => {
  const lists = { platforms: [], content_types: [] }
  expect(messages(Vectorization, lists)).toEqual(['Narrative id is required'])
  expect(messages(Vectorization, { ...lists, narrative_id: 'seven' })).toHaveLength(1)
  expect(messages(Vectorization, { narrative_id: 7, platforms: ['VK'], content_types: ['POST', 'AD'] })).toEqual([])
  expect(messages(Vectorization, { narrative_id: 7, platforms: ['X'], content_types: ['BLOG'] })).toHaveLength(2)
  expect(messages(ExecutionDate, undefined)).toEqual(['Execution date is required'])
  expect(messages(ExecutionDate, '')).toContain('Execution date is required')
  expect(messages(ExecutionDate, '2026-11-15T09:30:00.000Z')).toEqual([])
})
