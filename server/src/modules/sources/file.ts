import type { SourceFilter } from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { auditOnce } from '../../db/audit.ts'
import type { Db } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { Rights } from '../../db/rights.ts'
import { whereOf } from './filter.ts'

/** The first two can be imported again. */
export const FILE_COLUMNS = ['source_url', 'source_country', 'platform', 'added_at', 'added_by', 'import']

const ID_BYTES = 4

/** Called before the first byte is sent, so that every download is in the audit log. */
export function noteDownload(rights: Rights, actor: Actor, filter: SourceFilter, format: string) {
  const given = Object.entries({ format, ...filter }).filter(([, value]) => value !== undefined)
  const changes = Object.fromEntries(given.map(([name, after]) => [name, { before: null, after }]))
  const event = { action: 'download', entity: 'sources', entity_id: null, changes } as const
  return rights.write(actor, (trx) => auditOnce(trx, actor, `download sources ${JSON.stringify(given)}`, event))
}

/**
 * Reads the sources that match now, newest first, in parts: each is a short statement, so that a slow consumer holds no
 * connection. Which ones match is read once, because some filters have to look at all sources; a million ids are 4 MB.
 */
export async function sourceReader(db: Db, rights: Rights, actor: Actor, filter: SourceFilter) {
  const ids = await matchingIds(db, filter)
  let at = 0
  return {
    count: ids.length / ID_BYTES,
    async next(limit: number) {
      // A download may take long, and ends with the rights of the caller.
      await rights.check(actor)
      for (;;) {
        const part = ids.subarray(at, at + limit * ID_BYTES)
        at += part.length
        // Those that were removed meanwhile are left out, but an empty part would be the end.
        const rows = part.length === 0 ? [] : await rowsOf(db, rowsWith(part))
        if (rows.length > 0 || part.length === 0) return rows
      }
    },
  }
}

async function matchingIds(db: Db, filter: SourceFilter): Promise<Buffer> {
  const matching = sql<{ ids: Buffer | null }>`select string_agg(int4send(id::int), ''::bytea order by id desc) as ids
    from sources where ${whereOf(filter)}`
  return (await rowsOf(db, matching))[0]?.ids ?? Buffer.alloc(0)
}

function rowsWith(part: Buffer) {
  const ids = Array.from({ length: part.length / ID_BYTES }, (_, at) => part.readInt32BE(at * ID_BYTES))
  return sql<{ cells: string[] }>`select ${cells} as cells ${FROM} where sources.id = any(${ids}::bigint[])
    and sources.deleted_at is null order by sources.id desc`
}

export const FROM = sql`from sources left join users on users.id = sources.created_by
  left join imports on imports.id = sources.import_id`

/** What an import without a file is called in a file. */
const importName = sql`coalesce(imports.name, 'Import ' || imports.id, '')`

export const cells = sql`array[sources.url, coalesce(sources.country, ''), sources.platform,
  to_char(sources.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'), coalesce(users.full_name, ''), ${importName}]`
