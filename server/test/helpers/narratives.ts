import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ContentType, Platform } from '@watchdesk/contract/enums'
import type { Watchdesk } from './watchdesk.ts'

type Story = { story: string; platform?: Platform; content_type?: ContentType }

/** Inserts a narrative with these stories directly into the database. */
export async function insertNarrative({ database }: Pick<Watchdesk, 'database'>, id: number, stories: Story[]) {
  await database.db.insertInto('narratives').values({ id, created_by: null }).execute()
  for (let from = 0; from < stories.length; from += 1000) {
    const rows = stories.slice(from, from + 1000).map(({ story, platform = null, content_type = null }, index) => ({
      narrative_id: id,
      message_composite_id: `${id}:${from + index}`,
      story,
      platform,
      content_type,
      digest: randomUUID(),
    }))
    await database.db.insertInto('stories').values(rows).execute()
  }
}

/** Runs execute in the background, on any server of the database, so this polls until none is left. */
export async function untilRunsEnd({ database }: Pick<Watchdesk, 'database'>, deadlineMs = 30_000) {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const open = await database.db
      .selectFrom('vectorization_runs')
      .select(['id', 'status', 'attempts', 'done_count'])
      .where('status', 'in', ['queued', 'running'])
      .execute()
    if (open.length === 0) return
    if (Date.now() > deadline) throw new Error(`Runs that did not end in time: ${JSON.stringify(open)}`)
    await wait(20)
  }
}
