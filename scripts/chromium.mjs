// Finds the Chromium that the browser tests drive, or installs one: `node scripts/chromium.mjs` prints its path.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The headless shell first: it needs a third less CPU time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * The path of a Chromium. With `install`, downloads one if there is none.
 * @param {{ install?: boolean }} [options]
 * @returns {string}
 */
export function findChromium({ install = false } = {}) {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (isProgram(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, which is not an executable. Correct it or unset it.`)
  }
  const found = installed()[0] ?? (install ? installChromium() : undefined)
  if (found !== undefined) return found
  throw new Error('No Chromium was found. Install Chromium or Google Chrome, or set CHROMIUM_PATH.')
}

/**
 * The path of an installed Chromium of the other kind: a full browser or the headless shell, which behave differently.
 * @param {string} path
 * @returns {string | undefined}
 */
export function findOtherChromium(path) {
  return installed().find((other) => isHeadlessShell(other) !== isHeadlessShell(path))
}

/** Headless, for Playwright. */
export function launchChromium() {
  // Chromium's sandbox does not work for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return playwright().chromium.launch({ executablePath: findChromium({ install: true }), args })
}

function installed() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...MAC_APPS, ...playwrightPath()].filter(isProgram)
}

/** @param {string} path */
function isHeadlessShell(path) {
  return /headless[-_]shell/.test(path)
}

function installChromium() {
  const root = process.getuid?.() === 0
  if (root && run('apt-get', ['update'])) {
    // Older releases have no separate package for the headless shell.
    NAMES.slice(0, 2).some((name) => run('apt-get', ['install', '--yes', '--no-install-recommends', name]))
    const [found] = installed()
    if (found !== undefined) return found
  }
  run('npx', ['playwright', 'install', 'chromium'])
  return installed()[0]
}

/** The path of Playwright's own download, whether it exists or not. */
function playwrightPath() {
  try {
    return [String(playwright().chromium.executablePath())]
  } catch {
    return []
  }
}

function playwright() {
  const require = createRequire(new URL('../e2e/package.json', import.meta.url))
  return require('@playwright/test')
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  try {
    // Only the path goes to standard output.
    execFileSync(command, args, {
      cwd: new URL('..', import.meta.url),
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    return true
  } catch {
    return false
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(findChromium({ install: true }))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
