import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { makeDataDir } from '../../test/helpers/data-dir.ts'
import { cloneDatabase } from '../../test/helpers/watchdesk.ts'
import { startOf } from '../processes.ts'
import { claim } from './owner.ts'

test('a running owner blocks other servers, also while the database is down', async () => {
  const { dir: dataDir, remove: removeDataDir } = makeDataDir()
  const { pool, close } = await cloneDatabase('template1')
  onTestFinished(async () => {
    removeDataDir()
    await close()
  })
  const claimed = () => claim(dataDir, { ...inject('postgres'), database: pool.options.database }, 0)
  writeFileSync(join(dataDir, 'owner'), `${process.ppid} ${await startOf(process.ppid)}\n`)
  expect(await claimed()).toBeUndefined()
  writeFileSync(join(dataDir, 'owner'), `${process.ppid} another time\n`)
  const owner = await claimed()
  expect(owner).toBeDefined()
  await owner?.release()
})
