import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SheetError } from '../../adapters/sheets/sheets.ts'
import { checkSpooled } from './spool.ts'

test('rows that exceed the memory limit are rejected with an error message', { timeout: 60_000 }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'watchdesk-spool-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const path = join(dir, 'rows')
  // One endless row, larger than the memory of the worker.
  const file = await open(path, 'wx')
  await file.truncate(300_000_000)
  await file.close()
  const read = async () => {
    for await (const _ of checkSpooled({ path, kind: 'rows' }));
  }
  const refusal = 'The server does not have enough memory to read the file. Split it into smaller files.'
  await expect(read()).rejects.toThrow(new SheetError(refusal))
})
