import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { build } from 'vite'

const GALLERY = 'console/gallery'
const SOURCES = ['console/src', 'console/public', 'contract/src']
/** Changes with the version of a library. */
const INSTALLED = 'node_modules/.package-lock.json'

test('the gallery is up to date', async () => {
  const own = ['index.html', 'main.tsx', 'vite.config.ts'].map((name) => join(GALLERY, name))
  const others = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`),
  )
  const changed = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const built = changed(join(GALLERY, 'dist/index.html'))
  if ([...own, ...others, INSTALLED].some((file) => changed(file) > built))
    await build({ configFile: join(GALLERY, 'vite.config.ts'), logLevel: 'warn' })
})
