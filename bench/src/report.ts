import { readResults } from './results.ts'
import { verdicts } from './targets.ts'

/** Compares the figures of the last runs with the targets. */
const results = await readResults()
const all = verdicts(results)
console.table(all)
for (const { name, reason } of results.accounts?.missing ?? []) console.log(`Missing: ${name} (${reason})`)
for (const { work, measured, target, verdict } of all) {
  if (verdict === 'not met') console.log(`Not met: ${work} is ${measured}, the target is ${target}`)
}
