import { expect, test } from 'vitest'
import { addressesIn } from './addresses.ts'

test('addresses are separated by lines, commas, semicolons or tabs', () => {
  expect(addressesIn('t.me/a\r\nt.me/b, t.me/c;t.me/d\tt.me/e\n\n')).toEqual([
    't.me/a',
    't.me/b',
    't.me/c',
    't.me/d',
    't.me/e',
  ])
})

test('quotes and spaces around an address are dropped, and those inside are kept', () => {
  expect(addressesIn(' "https://t.me/a" ;\n\'t.me/b\'\nnot an address\n , ;')).toEqual([
    'https://t.me/a',
    't.me/b',
    'not an address',
  ])
})

test('a text that is too long for an address is cut', () => {
  expect(addressesIn('x'.repeat(9000))[0]).toHaveLength(4000)
})
