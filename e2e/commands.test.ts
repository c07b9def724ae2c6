import { expect, test } from 'vitest'
import { sweepCommands } from './commands.ts'
import { nobody, runCommand } from './processes.ts'

const { folder, clone, scripts } = sweepCommands(1)

test('an operand may begin with a dash after --', async () => {
  const { code, output } = await runCommand('sh', ['-c', `${scripts.test} -- --help`], {}, { cwd: clone })
  expect(code).toBe(2)
  expect(output).toContain("not '--help'")
})

test('.ci/run passes its arguments to npm test, where an ordinary user starts it', async () => {
  const user = process.getuid?.() === 0 ? nobody() : {}
  const { code, output } = await runCommand('.ci/run', ['--help'], { HOME: folder }, { cwd: clone, ...user })
  expect(code).toBe(0)
  expect(output).toContain('Usage: npm test --')
})
