import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { email as emailSchema } from './fields.schema.ts'
import { userChecker } from './user-row.schema.ts'
import { readPerson } from './user-row.ts'

const ALL = { type: 'STANDARD', language: '', is_admin: false } as const

function person(text: string) {
  const { isNameFromEmail: _, ...read } = readPerson({ email: text })
  return Object.values(read)
}

describe('a person in one cell', () => {
  test.each([
    ['Olena Kovalenko <olena@example.com>', 'olena@example.com', 'Olena', 'Kovalenko'],
    ['"Kovalenko, Olena" <olena@example.com>', 'olena@example.com', 'Olena', 'Kovalenko'],
    ['Kovalenko, Olena <olena@example.com>', 'olena@example.com', 'Olena', 'Kovalenko'],
    ["'Olena Kovalenko' < olena@example.com >", 'olena@example.com', 'Olena', 'Kovalenko'],
    ['Olena Kovalenko olena@example.com', 'olena@example.com', 'Olena', 'Kovalenko'],
    ['olena@example.com Olena Kovalenko', 'olena@example.com', 'Olena', 'Kovalenko'],
    ['olena@example.com (Olena Kovalenko)', 'olena@example.com', 'Olena', 'Kovalenko'],
    ['Olena Kovalenko – olena@example.com', 'olena@example.com', 'Olena', 'Kovalenko'],
    ['Anna Maria Schmidt <a@example.com>', 'a@example.com', 'Anna Maria', 'Schmidt'],
    ['Jan van der Berg <jan@example.com>', 'jan@example.com', 'Jan', 'van der Berg'],
    ['anna maria schmidt <a@example.com>', 'a@example.com', 'anna maria', 'schmidt'],
    ['Шевченко, Тарас <t@example.com>', 't@example.com', 'Тарас', 'Шевченко'],
    ['<olena.kovalenko@example.com>', 'olena.kovalenko@example.com', 'Olena', 'Kovalenko'],
    ['mailto:olena_kovalenko+news@example.com', 'olena_kovalenko+news@example.com', 'Olena', 'Kovalenko'],
    ['jan.van.berg7@example.com', 'jan.van.berg7@example.com', 'Jan', 'Van Berg'],
    ['Olena <olena.kovalenko@example.com>', 'olena.kovalenko@example.com', 'Olena', 'Kovalenko'],
    ['olena@example.com', 'olena@example.com', '', ''],
    ['Olena <info@example.com>', 'info@example.com', 'Olena', ''],
    ['two@example.com words@example.com', 'two@example.com words@example.com', '', ''],
    ['', '', '', ''],
  ])('%s', (text, email, first, last) => {
    expect(person(text)).toEqual([email, first, last])
  })

  test('a name that is taken from the email is marked', () => {
    expect(readPerson({ email: 'olena.kovalenko@example.com' }).isNameFromEmail).toBe(true)
    expect(readPerson({ email: 'olena.kovalenko@example.com', name: 'Lena Koval' }).isNameFromEmail).toBe(false)
    expect(readPerson({ email: 'olena@example.com' }).isNameFromEmail).toBe(false)
  })
})

describe('each row has an outcome and a reason', () => {
  test.each([
    [{ email: 'a@example.com', name: 'Ada Winter' }, 'added', null],
    [{ name: 'Ada Winter' }, 'invalid email', 'Email is required!'],
    [{ email: 'nobody', name: 'Ada Winter' }, 'invalid email', 'Email must be a valid email address.'],
    [{ email: `${'x'.repeat(250)}@example.com`, name: 'A B' }, 'invalid email', 'At most 254 characters.'],
    [{ email: 'a@example.com' }, 'invalid name', 'First name is required!'],
    [{ email: 'a@example.com', name: 'Ada' }, 'invalid name', 'Last name is required!'],
    [{ email: 'a@example.com', name: `Ada ${'x'.repeat(201)}` }, 'invalid name', 'At most 200 characters.'],
    [{ email: 'a@example.com', name: 'Ada Winter', type: 'BOSS' }, 'invalid value', /^Type must be/],
    [{ email: 'a@example.com', name: 'Ada Winter', language: 'fr' }, 'invalid value', /^Language must be/],
    [{ email: 'a@example.com', name: 'Ada Winter', is_admin: 'maybe' }, 'invalid value', /^Workspace admin must be/],
  ])('%j', (written, outcome, reason) => {
    const checked = userChecker(ALL)(written, 2)
    expect(checked.outcome).toBe(outcome)
    if (reason instanceof RegExp) expect(checked.reason).toMatch(reason)
    else expect(checked.reason).toBe(reason)
  })

  test('a second row with the same email, in any letter case, is repeated', () => {
    const check = userChecker(ALL)
    check({ email: 'a@example.com', name: 'Ada Winter' }, 2)
    expect(check({ email: 'A@Example.com', name: 'Other Person' }, 1007)).toMatchObject({
      outcome: 'repeated in the file',
      reason: 'Row 2 has the same email.',
    })
  })

  test('a row with the same email as a wrong one is not repeated', () => {
    const check = userChecker(ALL)
    expect(check({ email: 'a@example.com' }, 2).outcome).toBe('invalid name')
    expect(check({ email: 'a@example.com', name: 'Ada Winter' }, 3).outcome).toBe('added')
  })

  test('a row has its own settings or those of all', () => {
    const check = userChecker({ type: 'MODERATOR', language: 'EN', is_admin: true })
    expect(check({ email: 'a@example.com', name: 'A B' }, 2).settings).toEqual({
      type: 'MODERATOR',
      language: 'EN',
      is_admin: true,
    })
    const own = { type: 'standard', language: 'Ukrainian', is_admin: 'No' }
    expect(check({ email: 'b@example.com', name: 'A B', ...own }, 3).settings).toEqual({
      type: 'STANDARD',
      language: 'UK',
      is_admin: false,
    })
  })
})

describe('for any text', () => {
  const text = fc.string({ unit: fc.oneof(fc.constantFrom(...'<>@,"; \t.\0\ud800'), fc.string({ maxLength: 3 })) })

  test('a row is added only with an email and names that a user can have', () => {
    fc.assert(
      fc.property(fc.record({ email: text, name: text, first_name: text, last_name: text }), (written) => {
        const { person, outcome, reason } = userChecker(ALL)(written, 1)
        expect(reason === null).toBe(outcome === 'added')
        expect(outcome === 'invalid email').toBe(!emailSchema().safeParse(person.email).success)
        if (outcome === 'added') expect([person.first_name.trim(), person.last_name.trim()]).not.toContain('')
      }),
    )
  })

  const word = fc.stringMatching(/^[A-Z][a-z]{1,8}$/)
  const valid = fc.stringMatching(/^[a-z][a-z0-9]{0,8}@[a-z]{1,8}\.(?:com|org)$/)

  test('name and email are the same however they are written', () => {
    fc.assert(
      fc.property(word, word, valid, (first, last, email) => {
        const expected = { email, first_name: first, last_name: last, isNameFromEmail: false }
        expect(readPerson({ email: `${first} ${last} <${email}>` })).toEqual(expected)
        expect(readPerson({ email: `"${last}, ${first}" <${email}>` })).toEqual(expected)
        expect(readPerson({ email: `${email} (${first} ${last})` })).toEqual(expected)
        expect(readPerson({ email, first_name: first, last_name: last })).toEqual(expected)
        expect(readPerson({ email, name: `${first} ${last}` })).toEqual(expected)
      }),
    )
  })
})
