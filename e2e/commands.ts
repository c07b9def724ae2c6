import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyProject, ROOT, runCommand } from './processes.ts'

/** Commands that are passed to other tools. */
const NOT_OURS = ['format']
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const commands = Object.entries(scripts).filter(([name]) => !NOT_OURS.includes(name))

const WRONG: [what: string, args: string, said: string | RegExp][] = [
  ['an unknown option', '--nonsense', '--nonsense'],
  ['more arguments than it knows', 'types one two', /argument|must be/],
  ['a value for an option that takes none', '--help=yes', '--help'],
]

/** Calls each command of `package.json` with this many kinds of wrong arguments, in turn, and with --help. */
export function sweepCommands(kinds: number) {
  // Nothing is installed or built here, so a command that does not reject its arguments at once fails.
  const folder = mkdtempSync(join(tmpdir(), 'watchdesk-commands-'))
  const clone = join(folder, 'clone')
  const withoutNpm = { npm_execpath: join(folder, 'no-npm.js') }
  beforeAll(() => {
    chmodSync(folder, 0o755)
    copyProject(clone)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  describe.each(commands)('npm run %s', (name, script) => {
    const run = (args: string) => runCommand('sh', ['-c', `${script} ${args}`], withoutNpm, { cwd: clone })
    const nth = Object.keys(scripts).indexOf(name)

    test.each(WRONG.filter((_, index) => (index + nth) % WRONG.length < kinds))('refuses %s', async (_, args, said) => {
      const { code, output } = await run(args)
      expect(code).toBe(2)
      expect(output).toMatch(said)
      expect(output).toMatch(new RegExp(`^[^\\n]+ Run npm (run )?${name} -- --help [^\\n]+\\n$`))
      expect(made()).toEqual([])
    })

    test('explains itself with --help', async () => {
      const { code, output } = await run('--help')
      expect(code).toBe(0)
      expect(output).toMatch(new RegExp(`^Usage: npm (run )?${name} --`))
      expect(made()).toEqual([])
    })
  })

  return { folder, clone, scripts }

  /** Files that were not part of the copy. */
  function made() {
    return readdirSync(clone).filter((name) => ['node_modules', 'data', '.setup', 'test-results'].includes(name))
  }
}
