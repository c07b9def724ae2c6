// docs/faults.md: the faults, and by which test each was and is noticed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'

const FILE = join(root, 'docs/faults.md')
export const MISSED = 'missed'

const HEAD = `# Faults

Each of these faults was fixed once, or could have been made. \`npm run test:faults\` puts them into the code one by one, and
writes here which test notices. *Before* is the suite before slow tests were moved from \`npm test\` to test:all, for faults
that were tried with it; *same* is the test in the column to the left. The faults are in \`scripts/faults/server.mjs\` and
\`scripts/faults/console.mjs\`.
`

/** By the name of the fault: which test noticed the last time. */
export function readReport() {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Fault |'))
  return new Map(
    rows.map((row) => {
      const [, name = '', ...tests] = row.split(/(?<!\\)\|/).map((cell) => unescaped(cell.trim()))
      const [before = '', test = '', all = ''] = tests
      return [name, { before, test, all: all === 'same' ? test : all }]
    }),
  )
}

export function writeReport(parts, results) {
  const tables = Object.entries(parts).map(([title, rows]) => `## ${title}\n\n${tableOf(rows, results)}`)
  writeFileSync(FILE, `${[HEAD, summaryOf(parts, results), ...tables].join('\n').trimEnd()}\n`)
}

function tableOf(faults, results) {
  const rows = faults.map(({ name }) => {
    const { before = '', test = '', all = '' } = results.get(name) ?? {}
    return [name, before, test, all === test && all !== MISSED ? all && 'same' : all]
  })
  const lines = [['Fault', 'Before', 'npm test', 'test:all'], ['---', '---', '---', '---'], ...rows]
  return `${lines.map((cells) => `| ${cells.map(escaped).join(' | ')} |`).join('\n')}\n`
}

function summaryOf(parts, results) {
  const tried = Object.values(parts)
    .flat()
    .flatMap(({ name }) => results.get(name) ?? [])
    .filter(({ all }) => all)
  const noticed = (column) => tried.filter((result) => result[column] !== MISSED).length
  return `Of ${tried.length} faults, \`npm test\` notices ${noticed('test')} and test:all ${noticed('all')}.\n`
}

function escaped(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}

function unescaped(text) {
  return text.replaceAll('\\|', '|').replaceAll('&lt;', '<')
}
