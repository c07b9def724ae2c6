import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { build } from 'vite'

const GALLERY = 'console/gallery'
const OWN = ['index.html', 'main.tsx', 'vite.config.ts'].map((name) => join(GALLERY, name))
/** The last one changes with the version of a library. */
const SOURCES = [...OWN, ...['console/src', 'console/public', 'contract/src'].flatMap(filesIn), 'package-lock.json']
/** What the gallery was built from. */
const STAMP = join(GALLERY, 'dist/stamp')

test('the gallery is up to date', async () => {
  // Contents, not times, because a file that is moved here keeps an old one.
  const hash = createHash('sha256')
  for (const file of SOURCES) hash.update(`${file}\n`).update(readFileSync(file))
  const current = hash.digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === current) return
  await build({ configFile: join(GALLERY, 'vite.config.ts'), logLevel: 'warn' })
  writeFileSync(STAMP, current)
})

function filesIn(folder: string) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
