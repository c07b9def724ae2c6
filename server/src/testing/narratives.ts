import { randomUUID } from 'node:crypto'
import type { ContentType, Platform } from '@watchdesk/contract/enums'
import type { Watchdesk } from './watchdesk.ts'

type Story = { story: string; platform?: Platform; content_type?: ContentType }

/** A narrative with these stories, put straight into the database. */
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
