import { sql } from 'kysely'

/** Identifies a story in its narrative. The length marks where the id of the message ends and the story begins. */
export const DIGEST = sql<string>`md5(length(stories.message_composite_id) || ':' || stories.message_composite_id || stories.story)::uuid`
