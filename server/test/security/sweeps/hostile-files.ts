import { setTimeout as wait } from 'node:timers/promises'
import { errorText } from '@watchdesk/contract/errors'
import { afterAll, expect, test } from 'vitest'
import { FORM_TYPE, multipart } from '../../helpers/form.ts'
import type { Files } from '../../helpers/hostile-files.ts'
import { rawRequest, sendRaw } from '../../helpers/raw.ts'
import { useWatchdesk } from '../../helpers/watchdesk.ts'

/** The dearest file takes 3.5 s alone. Other tests that share the caches of the processor make it up to 5 s. */
const CPU_SECONDS = 8

/** Uploads of files that would overwhelm a server without limits. */
export function sweepHostileFiles(files: Files) {
  const watchdesk = useWatchdesk({}, { isListening: true })

  /** The CPU time of each file on all processors. */
  const cpuSeconds: Record<string, number> = {}
  afterAll(() => {
    const dearest = Object.entries(cpuSeconds).sort(([, a], [, b]) => b - a)
    console.log(`The dearest of ${dearest.length} hostile files: ${dearest[0]?.join(', ')} s of processor time`)
  })

  const headers = () => [`Authorization: Bearer ${watchdesk.admin.token}`, `Content-Type: ${FORM_TYPE}`]

  test.each(Object.keys(files))('%s: rejected with a reason, while other calls get a response', async (what) => {
    const [name, bytes] = (await files[what]?.()) ?? ['', Buffer.alloc(0)]
    const seconds = await cpuSecondsOf(name, bytes)
    cpuSeconds[what] = seconds
    expect(seconds).toBeLessThan(CPU_SECONDS)
  })

  async function cpuSecondsOf(name: string, bytes: Buffer) {
    const body = multipart([{ name: 'file', filename: name, content: bytes }])
    // Read completely before measuring, so that memory of the sender does not count.
    const request = rawRequest({
      method: 'POST',
      address: '/api/v1/stories-import/from-file',
      headers: headers(),
      body,
    })
    const before = process.memoryUsage.rss()
    let most = before
    let isDone = false
    const askMeanwhile = async () => {
      while (!isDone) {
        expect((await watchdesk.admin('GET', '/api/v1/users/')).status).toBe(200)
        most = Math.max(most, process.memoryUsage.rss())
        await wait(20)
      }
    }
    const send = () =>
      sendRaw(watchdesk.port, request).finally(() => {
        isDone = true
      })
    const cpu = process.cpuUsage()
    // Awaited together, so that a failing call fails the test immediately instead of causing an unhandled rejection.
    const [response] = await Promise.all([send(), askMeanwhile()])
    const { user, system } = process.cpuUsage(cpu)
    expect(response.status).toBe(422)
    expect(errorText(JSON.parse(response.body))).toMatch(/^[A-Z].*\.$|^Row /)
    expect((most - before) / 1e6).toBeLessThan(150)
    return (user + system) / 1e6
  }

  test('nothing from these files was saved', async () => {
    expect(await watchdesk.database.db.selectFrom('stories').selectAll().execute()).toEqual([])
    expect((await watchdesk.admin('GET', '/api/v1/users/')).status).toBe(200)
  })
}
