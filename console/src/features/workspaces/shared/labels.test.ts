import { expect, test } from 'vitest'
import { labelOf, showValue } from './labels.ts'

const NAMES: Record<string, string> = { lexical: 'Lexical (built in)', 7: 'Reach' }
const nameOf = (_: string, value: unknown) => NAMES[String(value)]

test.each([
  ['ai_quota.limit', 'AI quota limit'],
  ['ai_quota', 'AI quota'],
  ['featureflags', 'Feature flags'],
  ['tags', 'Tags'],
])('the label of %s is %s', (path, label) => {
  expect(labelOf(path)).toBe(label)
})

test.each([
  ['name', '', '–'],
  ['status', null, '–'],
  ['trial_end_date', '2027-01-31T00:00:00', 'Jan 31, 2027'],
  ['ai_quota.limit', 12_345, '12,345'],
  ['ai_quota.balance', 0, '0'],
  [
    'ai_quota',
    { balance: 5, limit: 10, renewal_date: '2027-01-31T00:00:00' },
    'balance 5, limit 10, next renewal date Jan 31, 2027',
  ],
  ['ai_quota', null, '–'],
  ['search_similarity_threshold', 0, '0.00'],
  ['is_ucbi_admin', false, 'No'],
  ['roles', ['search', 'cases'], 'search, cases'],
  ['roles', [], '–'],
  ['powerbi_dashboards', [7, 8], 'Reach, Dashboard 8'],
  ['stories_vectors_model', 'lexical', 'Lexical (built in)'],
  ['stories_vectors_model', 'gone', 'gone'],
  ['stories_vectors_model', null, '–'],
])('%s %j is shown as %s', (path, value, text) => {
  expect(showValue(path, value, nameOf)).toBe(text)
})
