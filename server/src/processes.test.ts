import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { isRunning, removeLeftBehind, startOf } from './processes.ts'

function sleeper(script = 'exec sleep 100') {
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('a process runs until it has ended', async () => {
  const child = sleeper()
  expect(isRunning(child.pid ?? 0)).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isRunning(child.pid ?? 0)).toBe(false)
})

test.skipIf(!existsSync('/proc/self/stat'))(
  'a dead process that its parent has not collected does not run',
  async () => {
    const parent = sleeper('sleep 0.01 & echo $!; exec sleep 100')
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line)
    while (isRunning(pid)) await wait(5)
    expect(() => process.kill(pid, 0)).not.toThrow()
  },
)

test('a process is distinguished from an earlier one with the same id by its start time', async () => {
  const child = sleeper()
  const pid = child.pid ?? 0
  expect(await startOf(pid)).toBeTruthy()
  expect(await startOf(pid)).toBe(await startOf(pid))
  expect(await startOf(pid)).not.toBe(await startOf(1))
})

test('what killed processes left unfinished is removed; what a running one works on stays, for an hour', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'watchdesk-left-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const running = sleeper().pid
  const other = sleeper().pid ?? 0
  const names = ['postgres', 'postgres.new-99999999', `postgres.new-${running}`, `postgres.new-${other}`]
  for (const name of [...names, `postgres.new-${process.pid}`, 'postgres.new-mine', 'postgres.old']) {
    mkdirSync(join(dir, name, 'base'), { recursive: true })
  }
  utimesSync(join(dir, `postgres.new-${other}`), new Date(0), new Date(0))
  await removeLeftBehind(join(dir, 'postgres'))
  expect(readdirSync(dir).sort()).toEqual(
    ['postgres', `postgres.new-${running}`, 'postgres.new-mine', 'postgres.old'].sort(),
  )
})
