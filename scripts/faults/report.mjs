// docs/faults.md: the faults, and by which test each was and is noticed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'

const FILE = join(root, 'docs/faults.md')
export const MISSED = 'missed'

const HEAD = `# Faults

Each of these faults was fixed once, or could have been made. \`npm run test:faults\` puts them into the code one by one, and
writes here which test notices. *Before* is the suite before slow tests were moved from \`npm test\` to test:all; *same* is
the test in the column to the left. The faults are in \`scripts/faults/server.mjs\` and \`scripts/faults/console.mjs\`.
`

/** By the name of the fault: which test noticed the last time. */
export function readReport() {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Fault |'))
  return new Map(
    rows.map((row) => {
      const [, name = '', , test = '', all = ''] = row.split(/(?<!\\)\|/).map((cell) => unescaped(cell.trim()))
      return [name, { test, all: all === 'same' ? test : all }]
    }),
  )
}

export function writeReport(parts, results) {
  const faults = Object.values(parts).flat()
  const tables = Object.entries(parts).map(([title, rows]) => `## ${title}\n\n${tableOf(rows, results)}`)
  writeFileSync(FILE, `${[HEAD, ...summaryOf(faults, results), ...tables].join('\n').trimEnd()}\n`)
}

function tableOf(faults, results) {
  const rows = faults.map(({ name, before }) => {
    const { test = '', all = '' } = results.get(name) ?? {}
    return [name, before, test, all === test && all !== MISSED ? all && 'same' : all]
  })
  const lines = [['Fault', 'Before', 'npm test', 'test:all'], ['---', '---', '---', '---'], ...rows]
  return `${lines.map((cells) => `| ${cells.map(escaped).join(' | ')} |`).join('\n')}\n`
}

function summaryOf(faults, results) {
  const measured = faults.filter(({ name }) => results.get(name)?.all)
  const noticed = (column) => measured.filter(({ name }) => results.get(name)[column] !== MISSED).length
  const before = faults.filter(({ before }) => before !== MISSED).length
  const lines = [`Of ${faults.length} faults, ${before} were noticed before.`]
  if (measured.length > 0)
    lines.push(
      `Of ${measured.length} that were tried since, \`npm test\` notices ${noticed('test')} and test:all ${noticed('all')}.`,
    )
  const reasons = faults.filter(({ name, why }) => why && results.get(name)?.test === MISSED)
  return [
    `${lines.join(' ')}\n`,
    ...reasons.map(({ name, why }) => `- ${name}: ${why}`),
    ...(reasons.length > 0 ? [''] : []),
  ]
}

function escaped(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}

function unescaped(text) {
  return text.replaceAll('\\|', '|').replaceAll('&lt;', '<')
}
