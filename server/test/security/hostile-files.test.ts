import { setTimeout as wait } from 'node:timers/promises'
import { errorText } from '@watchdesk/contract/errors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FORM_TYPE, multipart } from '../helpers/form.ts'
import { HOSTILE_FILES } from '../helpers/hostile-files.ts'
import { rawRequest, sendRaw } from '../helpers/raw.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
let port: number

beforeAll(async () => {
  port = Number(new URL(await watchdesk.app.listen({ host: '127.0.0.1', port: 0 })).port)
})

/** What each took, of all processors together. */
const cpuSeconds: Record<string, number> = {}
afterAll(() => {
  const dearest = Object.entries(cpuSeconds).sort(([, a], [, b]) => b - a)
  console.log(`The dearest of ${dearest.length} hostile files: ${dearest[0]?.join(', ')} s of processor time`)
})

const headers = () => [`Authorization: Bearer ${watchdesk.admin.token}`, `Content-Type: ${FORM_TYPE}`]

const CPU_SECONDS = 5

// A busy machine, whose tests share its caches, makes the same work dearer: what is over the limit is tried again.
test.each(Object.keys(HOSTILE_FILES))('%s: refused with a reason, while others are answered', async (what) => {
  const [name, bytes] = (await HOSTILE_FILES[what]?.()) ?? ['', Buffer.alloc(0)]
  const tries = [await cpuSecondsOf(name, bytes)]
  while (tries.length < 3 && Math.min(...tries) >= CPU_SECONDS) tries.push(await cpuSecondsOf(name, bytes))
  cpuSeconds[what] = Math.min(...tries)
  expect(cpuSeconds[what]).toBeLessThan(CPU_SECONDS)
})

async function cpuSecondsOf(name: string, bytes: Buffer) {
  const body = multipart([{ name: 'file', filename: name, content: bytes }])
  // Whole before the count begins: what the sender holds is not the server's.
  const request = rawRequest({ method: 'POST', address: '/api/v1/stories-import/from-file', headers: headers(), body })
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
    sendRaw(port, request).finally(() => {
      isDone = true
    })
  const cpu = process.cpuUsage()
  // Together: a call that fails meanwhile fails the test at once, and is no rejection that nobody handles.
  const [answer] = await Promise.all([send(), askMeanwhile()])
  const { user, system } = process.cpuUsage(cpu)
  expect(answer.status).toBe(422)
  expect(errorText(JSON.parse(answer.body))).toMatch(/^[A-Z].*\.$|^Row /)
  expect((most - before) / 1e6).toBeLessThan(150)
  return (user + system) / 1e6
}

test('nothing of them was kept', async () => {
  expect(await watchdesk.database.db.selectFrom('stories').selectAll().execute()).toEqual([])
  expect((await watchdesk.admin('GET', '/api/v1/users/')).status).toBe(200)
})
