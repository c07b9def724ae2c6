import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

/**
 * Groups the modules of each page into a few chunks: by default the bundler makes a chunk of everything that two pages
 * share, and fifty small chunks compress worse than five. A module goes to the first group that matches.
 */
const CHUNKS = [
  { name: 'start', tags: ['$initial' as const], priority: 3 },
  { name: 'login', test: /features[\\/]auth[\\/]login\.tsx/, priority: 2 },
  // The home page is the users list, so every signed-in user loads it.
  {
    name: 'signed-in',
    test: /app[\\/]signed-in\.tsx|features[\\/](users[\\/]list|activity[\\/]shared[\\/](history-link|last-changed|newer-version))\.tsx|ui[\\/](feedback[\\/]progress|display[\\/]use-copy)\.tsx?$|api[\\/]idempotency-key\.ts/,
    priority: 1,
  },
  // Loaded by every page of a super admin, to watch their jobs.
  {
    name: 'jobs',
    test: /features[\\/]jobs[\\/](watcher|queries|shared[\\/](follow-job|shown-jobs))\.tsx?$|operations[\\/]shared[\\/]refresh\.ts/,
    priority: 1,
  },
  // The workspace form needs all of these; in many small chunks it would exceed its limit (`npm run bytes`).
  {
    name: 'forms',
    test: /ui[\\/]form[\\/](use-save|form|use-initial-data)\.tsx?$|components[\\/](Checkbox|MultiSelect|Textarea)[\\/]/,
  },
  // Most pages that import something need all of these.
  {
    name: 'imports',
    test: /operations[\\/]shared[\\/]operation-links\.tsx|contract[\\/]src[\\/]csv\.ts/,
  },
  // Shared by the pages of users and the account page.
  { name: 'user-fields', test: /users[\\/]shared[\\/](password-field|with-current-password|email-taken)\.tsx?$/ },
  // Shared by the pages of workspaces and the lists of changes.
  { name: 'workspace-fields', test: /workspaces[\\/](labels|fields|day)\.ts|workspace-settings\.ts/ },
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadFont(), precompress()],
  resolve: { conditions: ['watchdesk-source', ...defaultClientConditions] },
  worker: { format: 'es' },
  server: { proxy: { '/api': `http://127.0.0.1:${process.env.PORT || 3000}` } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // Inlined fonts and images would be part of the style sheet and could not be cached separately.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
})

/** Preloads the font in parallel with the scripts; otherwise the browser would discover it after the first paint. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => /inter-latin-.*\.woff2$/.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
            injectTo: 'head',
          })),
    },
  }
}

const SMALLEST_TO_COMPRESS = 1024
const COMPRESSIBLE = /\.(css|html|js|json|svg|txt)$/

/** Writes `.br` and `.gz` next to each file at the highest compression level, so that the server does not compress. */
function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (entry.isFile() && COMPRESSIBLE.test(entry.name)) await compress(join(entry.parentPath, entry.name))
      }
    },
  }
}

async function compress(file: string) {
  const content = await readFile(file)
  if (content.length <= SMALLEST_TO_COMPRESS) return
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }))
}
