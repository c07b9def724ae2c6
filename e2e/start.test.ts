import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runToEnd, SERVER } from '../scripts/start-server.mjs'
import { expectFirstStart } from './first-start.ts'
import { startWatchdesk, stopAll } from './processes.ts'

const data = mkdtempSync(join(tmpdir(), 'watchdesk-start-'))
afterAll(async () => {
  await stopAll()
  rmSync(data, { recursive: true, force: true })
})

test('npm start on an empty data directory serves requests, lets its first super admin sign in, and SIGTERM stops it with its database', async () => {
  const watchdesk = await startWatchdesk({ DATA_DIR: data, PORT: '0' }, { command: ['npm', 'start'] })
  await expectFirstStart(watchdesk, data)
})

test('the built server names a bad setting in one line and stops', async () => {
  const { code, output } = await runToEnd(SERVER, { DATA_DIR: data, PORT: 'eighty' })
  expect(code).toBe(1)
  expect(output).toMatch(/^[^\n]*PORT[^\n]*\n$/)
})
