// Reads a CSV and an XLSX file in the worker, alternating with another parser on the same file in memory. Then measures the
// tasks of the main thread.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchChromium } from './chromium.mjs'
import { readCommandLine } from './command-line.mjs'
import { root, setup, tool } from './setup.mjs'

const { short } = readCommandLine('bench:reading').options
const FILES = [
  { kind: 'csv', rows: short ? 1000 : 1_000_000, parser: 'papaparse' },
  { kind: 'xlsx', rows: short ? 1000 : 100_000, parser: 'hucre' },
]
const ROUNDS = short ? 1 : 5
const MOST = 2

setup()
const { build, preview } = await import(createRequire(join(root, 'console/package.json')).resolve('vite'))
const outDir = mkdtempSync(join(tmpdir(), 'reading-'))
const input = join(root, 'console/bench/reading.html')
await build({
  configFile: join(root, 'console/vite.config.ts'),
  logLevel: 'error',
  build: { outDir, rolldownOptions: { input } },
})
const server = await preview({
  configFile: false,
  root: outDir,
  logLevel: 'error',
  build: { outDir },
  preview: { host: '127.0.0.1', port: 0 },
})
const browser = await launchChromium()
try {
  const page = await browser.newPage()
  await page.goto(`${server.resolvedUrls.local[0]}bench/reading.html`)
  await page.waitForFunction(() => 'bench' in window)
  for (const { kind, rows, parser } of FILES) {
    const { bytes, bare, ours } = await page.evaluate((options) => window.bench(...options), [kind, rows, ROUNDS])
    console.table(bare.map((time, round) => ({ [parser]: Math.round(time), ours: Math.round(ours[round]) })))
    const ratio = median(ours) / median(bare)
    console.log(`${kind}, ${rows} rows, ${bytes} bytes: ${ratio.toFixed(2)} of ${parser} (medians; at most ${MOST})`)
    if (ratio > MOST && !short) process.exitCode = 1
  }
} finally {
  await browser.close()
  await server.close()
  rmSync(outDir, { recursive: true, force: true })
}

if (!short) {
  console.log('The main thread, while 100,000 rows are read, corrected and imported:')
  const [node, args] = tool(
    '@playwright/test/cli.js',
    'test',
    '--config',
    'e2e',
    '--workers',
    '1',
    'source-import-large',
  )
  const env = { ...process.env, TEST_ALL: '1', QUIET_MACHINE: '1' }
  const { status } = spawnSync(node, args, { cwd: root, stdio: 'inherit', env })
  if (status !== 0) process.exitCode = 1
}

function median(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]
}
