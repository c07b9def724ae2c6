import { expect, test } from 'vitest'
import { filterWords, operationName } from './words.ts'

test('a filter reads as the end of a sentence', () => {
  expect(filterWords({}, undefined)).toBe('')
  expect(filterWords({ platform: 'TELEGRAM' }, undefined)).toBe('on TELEGRAM')
  expect(filterWords({ country: 'none', search: 'news' }, undefined)).toBe(
    'without a country and with “news” in the address',
  )
  const every = {
    platform: 'VK',
    country: 'UA',
    import_id: 7,
    added_from: '2026-11-01',
    added_to: '2026-11-17',
  } as const
  expect(filterWords(every, 'sources.csv')).toBe(
    'on VK, in Ukraine, from the import sources.csv, and added from Nov 1, 2026 until Nov 17, 2026',
  )
  expect(filterWords({ import_id: 7 }, undefined)).toBe('from the import 7')
})

test('an import without a name has its kind and number', () => {
  expect(operationName({ id: 7, kind: 'source_import', name: 'sources.csv' })).toBe('sources.csv')
  expect(operationName({ id: 7, kind: 'sources_change', name: null })).toBe('Bulk change of sources 7')
  expect(operationName({ id: 7, kind: 'platform_import', name: null }, 'VK')).toBe('VK import 7')
})
