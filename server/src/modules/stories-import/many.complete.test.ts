import { errorText } from '@watchdesk/contract/errors'
import { expect, test } from 'vitest'
import { formOf } from '../../../test/helpers/form.ts'
import { during } from '../../../test/helpers/locks.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk({}, { isListening: true })

test('too many concurrent imports are rejected, and queued ones succeed', async () => {
  const send = async (story: string) => {
    const headers = { authorization: `Bearer ${watchdesk.admin.token}` }
    const body = formOf('stories.csv', `narrative_id,message_composite_id,story,sentiment_score\n1,m,${story},`)
    const response = await fetch(`${watchdesk.url}/api/v1/stories-import/from-file`, { method: 'POST', headers, body })
    return { status: response.status, text: response.ok ? '' : errorText(await response.json()) }
  }
  await send('One')
  const answers = await during(watchdesk.database.pool, 'select from narratives where id = 1 for update', async () => {
    const waiting = Array.from({ length: 14 }, (_, index) => send(String(index)))
    const { status, text } = await Promise.race(waiting)
    expect([status, text]).toEqual([503, 'Too many imports and exports are running. Try again in a minute.'])
    return waiting
  })
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(12)
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(2)
})
