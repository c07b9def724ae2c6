import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Of the build, because it ends its process. */
const LOG = new URL('../../dist/plugins/log.js', import.meta.url).href

test('lines that come while others are being written are not lost when the process exits', async () => {
  const program = `
    const { exitAfterLog, openLog } = await import(${JSON.stringify(LOG)})
    const log = openLog()
    log.write('first\\n')
    log.flush()
    log.write('second\\n')
    await exitAfterLog(log, 3)`
  const { code, stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]).catch(
    (error) => error,
  )
  expect({ code, stdout }).toEqual({ code: 3, stdout: 'first\nsecond\n' })
})
