import { describe, expect, test } from 'vitest'
import { rowsOfText, tableRows, textOf } from './rows.ts'

function people(text: string) {
  return rowsOfText(text).rows.map(({ row, written }) => [row, ...Object.values(written)])
}

describe('a pasted text', () => {
  test('has one person per line, and blank lines count', () => {
    const text = 'Olena Kovalenko <olena@example.com>\r\n\r\nada@example.com\n"Reed, Marcus" <marcus@example.com>'
    expect(people(text)).toEqual([
      [1, 'Olena Kovalenko <olena@example.com>'],
      [3, 'ada@example.com'],
      [4, '"Reed, Marcus" <marcus@example.com>'],
    ])
  })

  test('may list several people in a line, as email programs do', () => {
    expect(people('Ada Winter <a@example.com>, b@example.com; "Reed, Marcus" <c@example.com>;')).toEqual([
      [1, 'Ada Winter <a@example.com>'],
      [1, 'b@example.com'],
      [1, '"Reed, Marcus" <c@example.com>'],
    ])
    expect(people('Reed, Marcus <c@example.com>')).toEqual([[1, 'Reed, Marcus <c@example.com>']])
  })

  test.each(['a@example.com,Ada,Winter', 'Ada;Winter;a@example.com', 'Ada\tWinter\ta@example.com'])(
    '%j has the name in two cells',
    (line) => {
      expect(people(line)).toEqual([[1, 'a@example.com', 'Ada', 'Winter']])
    },
  )

  test.each([',', ';', '\t'])('may have headings, separated by %j', (delimiter) => {
    const text = [
      ['Surname', 'Phone', 'First name', 'E-mail'],
      ['"Winter ""W"""', '1', 'Ada', 'a@example.com'],
    ]
    const read = rowsOfText(text.map((cells) => cells.join(delimiter)).join('\n'))
    expect(read).toEqual({
      rows: [{ row: 2, written: { email: 'a@example.com', first_name: 'Ada', last_name: 'Winter "W"' } }],
      total: 1,
      ignored: ['Phone'],
    })
  })

  test('an open quotation mark is a problem in words', () => {
    expect(rowsOfText('email\n"a@example.com').problem).toContain('quotation mark')
  })

  test('of more than a thousand people, all are counted', () => {
    const { rows, total } = rowsOfText('a@example.com\n'.repeat(1500))
    expect([rows.length, total]).toEqual([1000, 1500])
  })
})

describe('a file', () => {
  function fileOf(cells: string[][]) {
    const table = tableRows()
    cells.forEach((row, index) => {
      table.add(row, index + 1)
    })
    return table.finish()
  }

  test.each([
    [
      [
        ['Name', 'Email', 'Password'],
        ['Winter, Ada', 'a@example.com', 'x'],
        ['', '', ''],
        ['"B" C', 'b@example.com', ''],
      ],
    ],
    [
      [
        ['Ada Winter', 'a@example.com'],
        ['Reed, Marcus', 'b@example.com'],
      ],
    ],
    [[['email'], ['Ada Winter <a@example.com>'], ['"Reed, Marcus" <c@example.com>']]],
  ])('%j becomes a text with the same people and row numbers', (cells) => {
    const file = fileOf(cells)
    const read = rowsOfText(textOf(file))
    expect(read.rows.map(({ row }) => row)).toEqual(file.rows.map(({ row }) => row))
    expect(read.rows.map(({ written }) => written.email)).toEqual(file.rows.map(({ written }) => written.email))
    expect(textOf(file)).not.toContain('x,')
  })

  test('without a column of emails has a problem', () => {
    expect(
      fileOf([
        ['Name', 'Phone'],
        ['Ada', '1'],
      ]).problem,
    ).toContain('no column with emails')
  })
})
