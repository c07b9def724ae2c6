import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TableError } from '@watchdesk/contract/table-error'
import { expect, test } from 'vitest'
import { useFolder } from '../../../test/helpers/folder.ts'
import { readTable } from './read-table.ts'

const dir = useFolder()

function file(content: string) {
  const path = join(dir, 'file')
  writeFileSync(path, content)
  return path
}

const LONG = `a\n${'1,Text\n'.repeat(100_000)}`

test('reading can stop at any time, and leaves nothing behind', async () => {
  const path = file(LONG)
  for await (const batch of readTable(path, 'csv')) {
    expect(batch[0]).toMatchObject({ row: 1, cells: ['a'] })
    break
  }
  expect(readdirSync(dir)).toHaveLength(1)
})

test('reading ends when its signal is aborted', async () => {
  const controller = new AbortController()
  const rows = readTable(file(LONG), 'csv', { signal: controller.signal })
  await rows.next()
  controller.abort(new Error('enough'))
  await expect(rows.next()).rejects.toThrow('enough')
  await expect(readTable(file(LONG), 'csv', { signal: controller.signal }).next()).rejects.toThrow('enough')
})

test('reading ends at its deadline', async () => {
  const rows = readTable(file(LONG), 'csv', { deadlineMs: 1 })
  await expect(rows.next()).rejects.toThrow('Reading the file took too long. Split it into smaller files.')
})

test('all rows arrive, however slowly they are consumed', async () => {
  let count = 0
  let batches = 0
  for await (const batch of readTable(file(LONG), 'csv')) {
    count += batch.length
    batches += 1
    if (batches % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(count).toBe(100_001)
  expect(batches).toBeGreaterThan(5)
})

test('an invalid file throws a TableError', async () => {
  await expect(readTable(file('a\n"1'), 'csv').next()).rejects.toBeInstanceOf(TableError)
})

test('a missing file is a server error', async () => {
  await expect(readTable(join(dir, 'gone'), 'csv').next()).rejects.toThrow('ENOENT')
  await expect(readTable(join(dir, 'gone'), 'xlsx').next()).rejects.toThrow('ENOENT')
})
