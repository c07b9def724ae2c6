import { sql } from 'kysely'
import { checksumIn } from '../../db/checksum.ts'

/** Identifies a story in its narrative. The length marks where the id of the message ends and the story begins. */
export const DIGEST = sql<string>`md5(length(stories.message_composite_id) || ':' || stories.message_composite_id || stories.story)::uuid`

/** What `storyChecksum` computes, from the digest of a row. */
export function storyChecksumIn(digest = DIGEST) {
  return sql<number>`${checksumIn(digest)} + narrative_id`
}
