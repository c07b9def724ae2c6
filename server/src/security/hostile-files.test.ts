import { setTimeout as wait } from 'node:timers/promises'
import { errorText } from '@watchdesk/contract/errors'
import { beforeAll, expect, test } from 'vitest'
import { formOf } from '../testing/form.ts'
import { HOSTILE_FILES } from '../testing/hostile-files.ts'
import { useWatchdesk } from '../testing/watchdesk.ts'

const watchdesk = useWatchdesk()
let url: string

beforeAll(async () => {
  url = await watchdesk.app.listen({ host: '127.0.0.1', port: 0 })
})

const headers = () => ({ authorization: `Bearer ${watchdesk.admin.token}` })

test.each(Object.keys(HOSTILE_FILES))('%s: refused with a reason, while others are answered', async (what) => {
  const [name, bytes] = (await HOSTILE_FILES[what]?.()) ?? ['', Buffer.alloc(0)]
  const form = formOf(name, bytes, { delete_existing_stories: 'true' })
  const before = process.memoryUsage.rss()
  let most = before
  let isDone = false
  const others = (async () => {
    while (!isDone) {
      expect((await watchdesk.admin('GET', '/api/v1/users/')).status).toBe(200)
      most = Math.max(most, process.memoryUsage.rss())
      await wait(5)
    }
  })()
  const answer = await fetch(`${url}/api/v1/stories-import/from-file`, {
    method: 'POST',
    headers: headers(),
    body: form,
  })
  const body: unknown = await answer.json()
  isDone = true
  await others
  expect(answer.status).toBe(422)
  expect(errorText(body)).toMatch(/^[A-Z].*\.$|^Row /)
  expect((most - before) / 1e6).toBeLessThan(150)
})

test('nothing of them was kept', async () => {
  expect(await watchdesk.database.db.selectFrom('stories').selectAll().execute()).toEqual([])
  expect((await watchdesk.admin('GET', '/api/v1/users/')).status).toBe(200)
})
