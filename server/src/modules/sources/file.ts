import { type SourceFilter, sourceList } from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { cellsOf, type FileColumn, fileReader, fileTime, headingsOf, noteDownload } from '../../db/list-file.ts'
import type { Deps } from '../../deps.ts'
import { whereOf } from './filter.ts'

/** The first two can be imported again. An import without a file is named by its id. */
const COLUMNS: FileColumn[] = [
  [
    ['source_url', sql`sources.url`],
    ['source_country', sql`sources.country`],
    ['platform', sql`sources.platform`],
    ['added_at', fileTime(sql`sources.created_at`)],
    ['added_by', sql`users.full_name`],
    ['import', sql`coalesce(operations.name, 'Import ' || operations.id)`],
  ],
]

export const FROM = sql`from sources left join users on users.id = sources.created_by
  left join operations on operations.id = sources.import_id`
export const FILE_COLUMNS = headingsOf(COLUMNS)
export const CELLS = cellsOf(COLUMNS)

/** The sources that match, newest first. */
export async function sourcesFile(
  { db, rights }: Pick<Deps, 'db' | 'rights'>,
  actor: Actor,
  filter: SourceFilter,
  format: string,
) {
  await noteDownload(rights, actor, 'sources', { format, ...filter })
  const where = whereOf(filter)
  const file = { table: 'sources', options: sourceList, where, scope: [], sort: undefined } as const
  return fileReader(db, rights, actor, { ...file, from: FROM, columns: COLUMNS })
}
