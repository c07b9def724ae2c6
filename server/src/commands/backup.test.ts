import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { useFolder } from '../../test/helpers/folder.ts'
import { databaseUrl, runCommand } from '../../test/helpers/replica.ts'
import { cloneDatabase, useWatchdesk } from '../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const folder = useFolder()

/** Limits the size of files that the command writes, in blocks of 512 bytes. */
function run(name: string, file: string, { limit = 'unlimited', database = watchdesk.database, disk = '' } = {}) {
  const limited = ['sh', '-c', `ulimit -f ${limit}; exec "$@"`, 'sh']
  const settings = { DATABASE_URL: databaseUrl(database), DATA_DIR: folder, NODE_OPTIONS: disk }
  return runCommand(name, settings, [file], {}, limited)
}

/** Simulates a failing disk by replacing file system calls. */
function failing(calls: string) {
  const code = `import fs from 'node:fs'; const { write } = fs; Object.assign(fs, { ${calls} })`
  return `--import=data:text/javascript,${encodeURIComponent(code)}`
}

function place(name: string) {
  const dir = join(folder, name)
  mkdirSync(dir)
  return { dir, file: join(dir, 'watchdesk.backup.gz') }
}

test('a completed backup can be restored, and only its owner can read it', async () => {
  const { dir, file } = place('whole')
  // Left by a killed backup.
  writeFileSync(`${file}.new-4194999`, 'half of it')
  const { code, output } = await run('backup', file)
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^Backed up \d+ rows of \d+ tables to .*watchdesk.backup.gz\n$/),
  ])
  expect(readdirSync(dir)).toEqual(['watchdesk.backup.gz'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const copy = await cloneDatabase('template1')
  onTestFinished(() => copy.close())
  expect(await run('restore', file, { database: copy })).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Restored [^\n]*\n$/),
  })
})

// The write at the limit is a short one; only the next one fails.
test.each([1, 2])('a file that cannot grow beyond %i blocks is an error, not a backup', async (limit) => {
  const { dir, file } = place(`limit-${limit}`)
  writeFileSync(file, 'the backup of yesterday')
  const { code, output } = await run('backup', file, { limit: String(limit) })
  expect(code).toBe(1)
  expect(output).toMatch(/^The backup cannot be written: EFBIG[^\n]*\n$/)
  expect(readdirSync(dir)).toEqual(['watchdesk.backup.gz'])
  expect(readFileSync(file, 'utf8')).toBe('the backup of yesterday')
})

test.each([
  [
    'keeps less than it says',
    `write: (fd, data, at, length, to, done) => write(fd, data, at, length - 1, to, (error) => done(error, length, data))`,
    /^The backup does not hold what was written to it[^\n]*\n$/,
  ],
  [
    'fails when it has to keep it for good',
    `fsync: (fd, done) => done(Object.assign(new Error('EIO: i/o error, fsync'), { syscall: 'fsync' }))`,
    /^The backup cannot be written: EIO[^\n]*\n$/,
  ],
])('a backup to a disk that %s is an error, not a backup', async (what, calls, said) => {
  const { dir, file } = place(what.replaceAll(' ', '-'))
  writeFileSync(file, 'the backup of yesterday')
  const { code, output } = await run('backup', file, { disk: failing(calls) })
  expect([code, output]).toEqual([1, expect.stringMatching(said)])
  expect(readdirSync(dir)).toEqual(['watchdesk.backup.gz'])
  expect(readFileSync(file, 'utf8')).toBe('the backup of yesterday')
})

test.each([
  ['a folder', (file: string) => mkdirSync(file), 'is not a regular file'],
  ['a device', (file: string) => symlinkSync('/dev/full', file), 'is not a regular file'],
  ['below a file', (file: string) => rmSync(file, { force: true }), 'cannot be created', '/etc/hosts/x/y.gz'],
  ['below /proc', (file: string) => rmSync(file, { force: true }), 'cannot be created', '/proc/x/y.gz'],
])('%s is refused at once', async (name, make, reason, elsewhere?: string) => {
  const { file } = place(name.replaceAll(/\W/g, '-'))
  make(file)
  const { code, output } = await run('backup', elsewhere ?? file)
  expect(code).toBe(1)
  expect(output).toMatch(new RegExp(`^[^\\n]*${reason}[^\\n]*\\n$`))
})
