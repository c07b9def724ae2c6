import { readFile, writeFile } from 'node:fs/promises'
import type { Accounts } from './accounts.ts'
import type { AuditFigures } from './audit.ts'
import type { DownloadFigures } from './downloads.ts'
import type { Growth } from './growth.ts'
import type { Spread } from './rounds.ts'
import { IS_SHORT } from './settings.ts'
import type { SourceListFigures } from './source-list.ts'
import type { UsersChangeFigures } from './users-change.ts'

const FILE = new URL(IS_SHORT ? '../data-short/results.json' : '../results.json', import.meta.url)

/** What `report.ts` reads. The file has the figures of the other benchmarks too. */
export type Results = {
  accounts?: Accounts
  growth?: Growth
  audit?: AuditFigures
  sourceList?: SourceListFigures
  usersChange?: UsersChangeFigures
  downloads?: DownloadFigures
  sources?: Record<string, { ms: number; ratio?: Spread }>
}

export async function readResults(): Promise<Results> {
  return JSON.parse(await readFile(FILE, 'utf8').catch(() => '{}'))
}

/** Adds the figures of a benchmark to the results file. */
export async function saveResults(results: object) {
  await writeFile(FILE, `${JSON.stringify({ ...(await readResults()), ...results }, null, 2)}\n`)
}

export function median(list: number[]) {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN
}

export function rounded(value: number) {
  return Math.round(value * 100) / 100
}
