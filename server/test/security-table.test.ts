import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SIGN_IN_METHODS, type SignInMethod } from '@watchdesk/contract/auth/session'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const security = readFileSync(join(root, 'docs/security.md'), 'utf8')
const standard = readFileSync(join(root, 'docs/asvs.md'), 'utf8')

const WAYS: Record<SignInMethod, string> = {
  password: 'Password',
  password_and_code: 'Password and code of an authenticator app',
  password_and_recovery_code: 'Password and recovery code',
  password_and_passkey: 'Password and passkey',
  passkey: 'Passkey alone',
  sso: 'Single sign-on (`OIDC_ISSUER`)',
  link: 'Link from `npm run sign-in-link`',
}

test('every way to sign in is documented, with its factors and limits', () => {
  const [, section = ''] = /### Ways to sign in\n([\s\S]*?)\n### /.exec(security) ?? []
  const documented = [...section.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \|$/gm)].slice(1).map(([, way]) => way)
  expect(documented).toEqual([...SIGN_IN_METHODS.map((method) => WAYS[method]), 'API token'])
})

const STATES = ['met', 'partly', 'not met', 'does not apply'] as const

const rows = standard
  .split('\n')
  .filter((line) => /^\| *\d/.test(line))
  .map((line) => {
    const [number = '', level = '', asks = '', state = '', where = '', tests = '', ...rest] = line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim())
    return { number, level, asks, state, where, tests, rest }
  })

function filesIn(cell: string) {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
}

function stateOf({ state }: { state: string }) {
  return STATES.find((known) => state === known || state.startsWith(`${known}: `))
}

const numbersOf = (wrong: typeof rows) => wrong.map(({ number }) => number)

test('the table has the requirements in order, each once, with its level and in its chapter', () => {
  expect(rows.length).toBeGreaterThan(200)
  expect(numbersOf(rows.filter(({ number }) => !/^([1-9]|1[0-7])\.[1-9]\d?\.[1-9]\d?$/.test(number)))).toEqual([])
  expect(numbersOf(rows.filter(({ level, asks, rest }) => !/^[12]$/.test(level) || !asks || rest.length > 0))).toEqual(
    [],
  )
  const inOrder = numbersOf(rows).sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  expect(numbersOf(rows)).toEqual(inOrder)
  expect(new Set(inOrder).size).toBe(rows.length)
  const chapters = standard.split(/^## V/m).slice(1)
  for (const chapter of chapters) {
    const numbers = [...chapter.matchAll(/^\| *(\d+)\./gm)].map(([, number]) => number)
    expect(new Set(numbers)).toEqual(new Set([/^\d+/.exec(chapter)?.[0]]))
  }
})

test('each requirement has one of the four states, with a reason if it is not met', () => {
  expect(numbersOf(rows.filter((row) => stateOf(row) === undefined))).toEqual([])
  expect(numbersOf(rows.filter(({ state }) => state === 'partly' || state === 'not met'))).toEqual([])
  for (const state of STATES) {
    expect(standard).toContain(`${rows.filter((row) => stateOf(row) === state).length} ${COUNTED[state]}`)
  }
  expect(standard).toContain(`Of ${rows.length} requirements,`)
})

const COUNTED = { met: 'are met', partly: 'partly', 'not met': 'not', 'does not apply': 'do not apply' }

test('the files and tests of each requirement exist', () => {
  const missing = rows.flatMap(({ number, where, tests }) =>
    filesIn(where + tests)
      .filter((file) => !existsSync(join(root, file)))
      .map((file) => `${number} ${file}`),
  )
  expect(missing).toEqual([])
  const noTests = rows.flatMap(({ number, tests }) =>
    filesIn(tests)
      .filter((file) => !/\.(test|spec)\.ts$/.test(file))
      .map((file) => `${number} ${file}`),
  )
  expect(noTests).toEqual([])
})
