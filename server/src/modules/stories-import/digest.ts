import { sql } from 'kysely'
import { checksumIn, checksumOf } from '../../db/checksum.ts'

type Story = { narrative_id: number; message_composite_id: string; story: string }

/** Identifies a story in its narrative. The length marks where the id of the message ends and the story begins. */
export const DIGEST = sql<string>`md5(length(stories.message_composite_id) || ':' || stories.message_composite_id || stories.story)::uuid`

/** What is compared after an import: see `checksum.ts`. */
export function storyChecksum({ narrative_id, message_composite_id: id, story }: Story) {
  // PostgreSQL counts code points.
  const length = /[\ud800-\udbff]/.test(id) ? [...id].length : id.length
  return checksumOf(`${length}:${id}${story}`) + narrative_id
}

/** The same number, from the digest of a row. */
export function storyChecksumIn(digest = DIGEST) {
  return sql<number>`${checksumIn(digest)} + narrative_id`
}
