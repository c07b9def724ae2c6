import { createServer } from 'node:http'
import { parseGoogleAddress } from '@watchdesk/contract/sheet-address'
import { isSpreadsheet } from '@watchdesk/contract/source-import'
import { afterAll, describe, expect, test } from 'vitest'
import { openGoogle } from '../../../test/helpers/google.ts'
import { hostileAddresses } from '../../../test/helpers/hostile-addresses.ts'
import { listen } from '../../../test/helpers/loopback.ts'
import { addressOf } from './google-address.ts'
import { isExportHost } from './google-settings.ts'
import { SheetError } from './sheets.ts'

const ID = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'
const PUBLISHED = '2PACX-1vQ8bUAx0vCqAnBqfsFgYx2hGsf1_rWCrlUdTyJXbHlo'

let hits = 0
const server = createServer((_request, response) => {
  hits += 1
  response.end('source_url\n')
})
const port = Number(new URL(await listen(server)).port)
afterAll(() => server.close())

describe('the address of a spreadsheet', () => {
  test.each([
    [`https://docs.google.com/spreadsheets/d/${ID}/edit`, { id: ID, gid: undefined, published: false }],
    [`https://docs.google.com/spreadsheets/d/${ID}`, { id: ID, gid: undefined, published: false }],
    [`https://docs.google.com/spreadsheets/d/${ID}/`, { id: ID, gid: undefined, published: false }],
    [`https://docs.google.com/spreadsheets/d/${ID}/edit?usp=sharing`, { id: ID, gid: undefined, published: false }],
    [`https://docs.google.com/spreadsheets/d/${ID}/edit#gid=42`, { id: ID, gid: '42', published: false }],
    [`https://docs.google.com/spreadsheets/d/${ID}/edit?gid=7#gid=42`, { id: ID, gid: '42', published: false }],
    [`https://docs.google.com/spreadsheets/d/${ID}/edit?gid=7`, { id: ID, gid: '7', published: false }],
    [`https://docs.google.com/spreadsheets/d/${ID}/edit#gid=../x`, { id: ID, gid: undefined, published: false }],
    [`https://docs.google.com/spreadsheets/u/1/d/${ID}/edit`, { id: ID, gid: undefined, published: false }],
    [
      `https://docs.google.com/spreadsheets/d/e/${PUBLISHED}/pubhtml`,
      { id: PUBLISHED, gid: undefined, published: true },
    ],
    [
      `https://docs.google.com/spreadsheets/d/e/${PUBLISHED}/pub?gid=0&output=csv`,
      { id: PUBLISHED, gid: '0', published: true },
    ],
    [`  https://docs.google.com/spreadsheets/d/${ID}/edit\n`, { id: ID, gid: undefined, published: false }],
    [` ${ID} `, { id: ID, gid: undefined, published: false }],
  ])('%s', (typed, expected) => {
    expect(parseGoogleAddress(typed)).toEqual(expected)
    expect(parseGoogleAddress(addressOf(expected))).toEqual(expected)
  })
})

const HOSTILE = hostileAddresses(port)

describe('not the address of a spreadsheet', () => {
  test.each(HOSTILE)('%j', async (typed) => {
    expect(parseGoogleAddress(typed)).toBeUndefined()
    await expect(openGoogle(undefined).read(typed)).rejects.toThrow(SheetError)
  })

  test('there are many of them, none of which left this machine or reached a server on it', () => {
    expect(new Set(HOSTILE).size).toBeGreaterThan(60)
    expect(hits).toBe(0)
  })

  test('the contract refuses all of them, but for some that lead nowhere at the right service', () => {
    const accepted = HOSTILE.filter(isSpreadsheet)
    expect(accepted.map((address) => new URL(address).origin)).toEqual(accepted.map(() => 'https://docs.google.com'))
    expect(accepted.every((address) => new URL(address).pathname.startsWith('/spreadsheets/'))).toBe(true)
  })
})

describe('redirects of a download', () => {
  test.each([
    'https://doc-0s-1k-sheets.googleusercontent.com/export/abc?format=csv',
    `https://docs.google.com/spreadsheets/d/${ID}/export?format=csv`,
  ])('%s', (address) => {
    expect(isExportHost(new URL(address))).toBe(true)
  })

  test.each([
    'http://doc-0s-sheets.googleusercontent.com/export',
    'https://googleusercontent.com/export',
    'https://evilgoogleusercontent.com/export',
    'https://googleusercontent.com.evil.com/export',
    'https://doc.googleusercontent.com:8443/export',
    'https://user@doc.googleusercontent.com/export',
    'https://127.0.0.1/export',
    'https://[::1]/export',
    'https://169.254.169.254/export',
    'https://evil.com/export',
    'file:///etc/passwd',
  ])('not %s', (address) => {
    expect(isExportHost(new URL(address))).toBe(false)
  })
})
