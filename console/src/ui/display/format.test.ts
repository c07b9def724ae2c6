import { expect, test } from 'vitest'
import { formatMomentsIn } from './format.ts'

const at = new Date(2026, 10, 16, 9, 40)
const text = `This user was changed by Vera Moroz at ${at.toISOString()}.`

test('a timestamp of today is shown with its time only, an older one with its date and time', () => {
  expect(formatMomentsIn(text, new Date(2026, 10, 16, 23, 59))).toMatch(/^This user .* Moroz today at 0?9:40.*\.$/)
  expect(formatMomentsIn(text, new Date(2026, 10, 17))).toMatch(/^This user .* Moroz on .*2026.* at 0?9:40.*\.$/)
})

test.each(['The list was not saved at all.', 'Changed at 2026-13-45T09:40:00Z.'])('%j has no timestamp', (message) => {
  expect(formatMomentsIn(message)).toBe(message)
})
