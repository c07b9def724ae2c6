import { readFile, writeFile } from 'node:fs/promises'

const FILE = new URL('../results.json', import.meta.url)

/** Adds the figures of a benchmark to the results file. */
export async function saveResults(results: object) {
  const others = JSON.parse(await readFile(FILE, 'utf8').catch(() => '{}'))
  await writeFile(FILE, `${JSON.stringify({ ...others, ...results }, null, 2)}\n`)
}

export function median(list: number[]) {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN
}

export function rounded(value: number) {
  return Math.round(value * 100) / 100
}
