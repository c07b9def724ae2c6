import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

/**
 * What each page needs in a few files, each with all that it imports: left alone, the bundler makes one of every piece
 * that two screens share, and fifty small files are larger than five. The first that matches takes a module.
 */
const CHUNKS = [
  { name: 'start', tags: ['$initial' as const], priority: 3 },
  { name: 'login', test: /features[\\/]session[\\/]login\.tsx/, priority: 2 },
  // Home is the users list: whoever is signed in loads it.
  {
    name: 'signed-in',
    test: /app[\\/]signed-in\.tsx|features[\\/]users[\\/]list\.tsx|feedback[\\/]progress\.tsx/,
    priority: 1,
  },
  // The workspace form needs all of these; in many small files they would take it over its limit (`npm run bytes`).
  { name: 'forms', test: /ui[\\/]form[\\/](use-save|form)\.tsx?$|components[\\/](Checkbox|MultiSelect|Textarea)[\\/]/ },
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
    // Inlining would put font and picture data into the style sheet, where it cannot be cached alone.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { groups: CHUNKS } },
    },
  },
})

/** Fetches the font beside the scripts; the browser would otherwise first see it when they have painted. */
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

/** Writes `.br` and `.gz` beside each file once, at the best level, so that the server compresses nothing. */
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
