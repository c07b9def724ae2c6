import { errorText } from '@watchdesk/contract/errors'
import { expect, test } from 'vitest'
import { formOf } from '../../../test/helpers/form.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

test('too many concurrent imports are rejected, and queued ones succeed', async () => {
  const url = await watchdesk.app.listen({ host: '127.0.0.1', port: 0 })
  const send = async (story: string) => {
    const headers = { authorization: `Bearer ${watchdesk.admin.token}` }
    const body = formOf('stories.csv', `narrative_id,message_composite_id,story,sentiment_score\n1,m,${story},`)
    const response = await fetch(`${url}/api/v1/stories-import/from-file`, { method: 'POST', headers, body })
    return { status: response.status, text: response.ok ? '' : errorText(await response.json()) }
  }
  const blocker = await watchdesk.database.pool.connect()
  try {
    await send('One')
    await blocker.query('begin')
    await blocker.query('select from narratives where id = 1 for update')
    const waiting = Array.from({ length: 14 }, (_, index) => send(String(index)))
    const first = await Promise.race(waiting)
    expect([first.status, first.text]).toEqual([
      503,
      'Too many imports and exports are running. Try again in a minute.',
    ])
    await blocker.query('commit')
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(12)
    expect(statuses.filter((status) => status === 503)).toHaveLength(2)
  } finally {
    blocker.release()
  }
})
