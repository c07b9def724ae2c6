import { readFile, writeFile } from 'node:fs/promises'
import { drawCharts } from './charts.ts'
import { sections } from './figures.ts'
import { readResults } from './results.ts'
import { verdicts } from './targets.ts'

/** Compares the figures of the last runs with the targets, and updates the charts and tables of docs/performance.md. */
const DOC = new URL('../../docs/performance.md', import.meta.url)

const results = await readResults()
const all = verdicts(results)
console.table(all)
for (const { name, reason } of results.accounts?.missing ?? []) console.log(`Missing: ${name} (${reason})`)
for (const { work, measured, target, verdict } of all) {
  if (verdict === 'not met') console.log(`Not met: ${work}: ${measured}, the target is ${target}`)
}

await drawCharts(results)
let text = await readFile(DOC, 'utf8')
for (const [name, figures] of Object.entries(sections(results))) {
  // A replacer function, because figures could contain replacement patterns such as $1.
  text = text.replace(
    new RegExp(`(<!-- figures: ${name} -->\n)[^]*?(<!-- end -->)`),
    (_, start, end) => `${start}\n${figures}\n\n${end}`,
  )
}
await writeFile(DOC, text)
