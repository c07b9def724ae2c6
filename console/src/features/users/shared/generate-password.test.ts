import { GENERATED_PASSWORD_CHARACTERS } from '@watchdesk/contract/limits'
import { expect, test } from 'vitest'
import { generatePassword } from './generate-password.ts'

test('a generated password has 17 letters, digits and symbols, and never repeats', () => {
  const passwords = Array.from({ length: 500 }, generatePassword)
  for (const password of passwords) expect(password).toMatch(/^[A-Za-z0-9!@#$%^&*()]{17}$/)
  expect(new Set(passwords).size).toBe(passwords.length)
})

test('every character is equally likely', () => {
  const counts = new Map<string, number>()
  const rounds = 6_000
  for (let round = 0; round < rounds; round += 1) {
    for (const character of generatePassword()) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const expected = (rounds * 17) / GENERATED_PASSWORD_CHARACTERS.length
  const chiSquare = [...GENERATED_PASSWORD_CHARACTERS].reduce(
    (sum, character) => sum + ((counts.get(character) ?? 0) - expected) ** 2 / expected,
    0,
  )
  // 71 degrees of freedom: a uniform generator exceeds this once in a hundred million runs; a plain modulo always does.
  expect(chiSquare).toBeLessThan(155)
})
