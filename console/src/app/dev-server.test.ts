import { fileURLToPath } from 'node:url'
import { loadConfigFromFile } from 'vite'
import { expect, test, vi } from 'vitest'

const CONFIG = fileURLToPath(new URL('../../vite.config.ts', import.meta.url))

test('npm run dev forwards calls to the port of the server', async () => {
  vi.stubEnv('PORT', '4000')
  const loaded = await loadConfigFromFile({ command: 'serve', mode: 'development' }, CONFIG)
  expect(loaded?.config.server?.proxy).toEqual({ '/api': 'http://127.0.0.1:4000' })
})
