import { sql } from 'kysely'
import type { RecordFacts } from '../activity/record-kind.ts'

export const SOURCE = {
  kind: 'source',
  table: 'sources',
  name: sql`url`,
  // Another content than an import left, so that undoing the import asks about it.
  alsoSet: () => sql`content_version = version + 1`,
  bin: {
    detail: sql`platform`,
    // Sources removed together have no event each, but nobody can change them afterwards.
    deleted_by: sql`(select json_build_object('id', id, 'name', full_name) from users where id = sources.updated_by)`,
  },
} as const satisfies RecordFacts
