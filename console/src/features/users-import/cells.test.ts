import { USER_CELL_LENGTH } from '@watchdesk/contract/user-row'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellsOf, cellsWithoutHeadings, userColumns } from './cells.ts'

test.each([
  [['E-mail', 'First Name', 'Last Name'], { email: 0, first_name: 1, last_name: 2 }],
  [['ID', 'Surname', 'Given name', 'Email Address'], { email: 3, first_name: 2, last_name: 1 }],
  [['Full name', 'MAIL'], { email: 1, name: 0 }],
  [['Name', 'Surname', 'email'], { email: 2, first_name: 0, last_name: 1 }],
  [['Ім’я', 'Прізвище', 'Пошта'], { email: 2, first_name: 0, last_name: 1 }],
  [
    ['first_name', 'last_name', 'email', 'is_admin', 'type', 'language'],
    { email: 2, first_name: 0, last_name: 1, is_admin: 3, type: 4, language: 5 },
  ],
])('%j are found by their headings', (header, columns) => {
  expect(userColumns(header)).toEqual(columns)
})

test.each([[['Name', 'Phone']], [[]], [['__proto__', 'constructor']]])('%j has no emails', (header) => {
  expect(userColumns(header)).toBeUndefined()
})

test('other columns, such as passwords, are not read', () => {
  const columns = userColumns(['password', 'email', 'name'])
  expect(columns && cellsOf(['secret', ' a@example.com ', 'Ada Winter'], columns)).toEqual({
    email: 'a@example.com',
    name: 'Ada Winter',
  })
})

test.each([
  [['Ada Winter', 'a@example.com'], { email: 'a@example.com', name: 'Ada Winter' }],
  [['a@example.com', '', 'Ada', 'Winter'], { email: 'a@example.com', first_name: 'Ada', last_name: 'Winter' }],
  [['Ada'], { email: 'Ada' }],
  [[], { email: '' }],
])('%j is read without headings', (row, written) => {
  expect(cellsWithoutHeadings(row)).toEqual(written)
})

const text = fc.string({ unit: fc.oneof(fc.constantFrom(...'<>@,"; \t.\0\ud800'), fc.string({ maxLength: 3 })) })

test('cells can be sent and are never longer than the limit', () => {
  fc.assert(
    fc.property(text, fc.nat(2 * USER_CELL_LENGTH), (part, length) => {
      const { email = '' } = cellsWithoutHeadings([part.repeat(Math.ceil(length / (part.length || 1)))])
      expect(email.length).toBeLessThanOrEqual(USER_CELL_LENGTH)
      expect(email).not.toMatch(/\0|\p{Surrogate}/u)
    }),
  )
})
