import { readFile, writeFile } from 'node:fs/promises'
import { charts } from './charts.ts'
import { sections } from './figures.ts'
import { readResults } from './results.ts'
import { IS_SHORT } from './settings.ts'
import { verdicts } from './targets.ts'

/**
 * Compares the figures of the last runs with the targets, and updates the charts and tables of docs/performance.md. A
 * short run only checks that this works.
 */
const DOCS = new URL('../../docs/', import.meta.url)

const results = await readResults()
const all = verdicts(results)
const files = new Map(Object.entries(charts(results)).map(([name, svg]) => [`images/performance-${name}.svg`, svg]))
let text = await readFile(new URL('performance.md', DOCS), 'utf8')
for (const [name, figures] of Object.entries(sections(results))) {
  // A replacer function, because figures could contain replacement patterns such as $1.
  text = text.replace(
    new RegExp(`(<!-- figures: ${name} -->\n)[^]*?(<!-- end -->)`),
    (_, start, end) => `${start}\n${figures}\n\n${end}`,
  )
}
files.set('performance.md', text)

if (!IS_SHORT) {
  console.table(all)
  for (const { name, reason } of results.accounts?.missing ?? []) console.log(`Missing: ${name} (${reason})`)
  for (const { work, measured, target, verdict } of all) {
    if (verdict === 'not met') console.log(`Not met: ${work}: ${measured}, the target is ${target}`)
  }
  for (const [file, content] of files) await writeFile(new URL(file, DOCS), content)
}
