import { expect, test } from 'vitest'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { purgeStories } from './purge.ts'

const watchdesk = useWatchdesk()

test('a story deleted 30 days ago is removed, one deleted a minute later is kept', async () => {
  const { pool, db } = watchdesk.database
  await pool.query('insert into narratives (id) values (1)')
  await pool.query(`insert into stories (narrative_id, message_composite_id, story, digest, deleted_at) values
    (1, 'm', 'Old', gen_random_uuid(), now() - interval '30 days 1 second'),
    (1, 'm', 'Recent', gen_random_uuid(), now() - interval '29 days 23 hours 59 minutes'), (1, 'm', 'Live', gen_random_uuid(), null)`)
  await purgeStories(db)
  const { rows } = await pool.query<{ story: string }>('select story from stories order by story')
  expect(rows.map(({ story }) => story)).toEqual(['Live', 'Recent'])
})
