import type { ListOptions } from '@watchdesk/contract/list'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../actor.ts'
import { auditDownload } from './audit.ts'
import { type ListedTable, orderOf } from './lists.ts'
import type { Db } from './open.ts'
import { rowsOf } from './read.ts'
import type { Rights } from './rights.ts'

type Sql = RawBuilder<unknown>

/** The headings and contents of a column in a file. Some columns of a list are several in a file. */
export type FileColumn = readonly (readonly [heading: string, content: Sql, kind?: 'number'])[]

type File = {
  table: Extract<ListedTable, 'users' | 'workspaces' | 'sources'>
  /** What the caller asked for, as the event of the download records it. */
  query: { format: string; sort?: string | undefined }
  options: ListOptions
  /** All rows that match the filter and that the caller may see. */
  where: Sql
  /** All rows that the caller may see, for those that were deleted or moved meanwhile. */
  isShown: Sql
  from: Sql
  columns: FileColumn[]
}

const ID_BYTES = 4

export function headingsOf(columns: FileColumn[]) {
  return columns.flat().map(([heading]) => heading)
}

export function cellsOf(columns: FileColumn[]) {
  return sql`array[${sql.join(columns.flat().map(([, content]) => sql`coalesce((${content})::text, '')`))}]`
}

/** Reads with short statements: a slow consumer holds no connection. Which rows match is read once, 4 MB per million. */
export async function fileReader({ db, rights }: { db: Db; rights: Rights }, actor: Actor, file: File) {
  const workspace_id = actor.seesEverything ? undefined : actor.workspace_id
  await auditDownload(rights, actor, { entity: file.table, workspace_id }, file.query)
  const ids = await matchingIds(db, file)
  const table = sql.table(file.table)
  let at = 0

  function rowsWith(part: Buffer) {
    const wanted = Array.from({ length: part.length / ID_BYTES }, (_, index) => part.readInt32BE(index * ID_BYTES))
    return sql<{
      cells: string[]
    }>`select cells from unnest(${wanted}::int[]) with ordinality as wanted(wanted_id, place)
      cross join lateral (select ${cellsOf(file.columns)} as cells ${file.from}
        where ${table}.id = wanted_id and ${file.isShown} offset 0) as rows order by place`
  }

  return {
    title: `${file.table}-${new Date().toISOString().slice(0, 10)}`,
    header: headingsOf(file.columns),
    numbers: file.columns.flat().flatMap(([, , kind], index) => (kind === 'number' ? [index] : [])),
    row_count: ids.length / ID_BYTES,
    async next(limit: number) {
      // A download may take long, and ends with the rights of the caller.
      await rights.check(actor)
      for (;;) {
        const part = ids.subarray(at, at + limit * ID_BYTES)
        at += part.length
        // Those that were deleted meanwhile are left out, but an empty part would be the end.
        const rows = part.length === 0 ? [] : await rowsOf(db, rowsWith(part))
        if (rows.length > 0 || part.length === 0) return rows
      }
    },
  }
}

async function matchingIds(db: Db, { table, options, where, query: { sort } }: File): Promise<Buffer> {
  const { columns, by } = orderOf(table, sort)
  const order = by(sort?.startsWith('-') ?? options.isNewestFirst ?? false)
  const matching = sql<{ ids: Buffer | null }>`select string_agg(int4send(id::int), ''::bytea order by ${order}) as ids
    from (select ${columns} from ${sql.table(table)} where ${where}) as matching`
  return (await rowsOf(db, matching))[0]?.ids ?? Buffer.alloc(0)
}

/** A time as text that spreadsheet programs read, in UTC. */
export function fileTime(time: Sql) {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`
}
