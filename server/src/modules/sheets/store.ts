import { ROWS_AT_ONCE } from '@watchdesk/contract/limits'
import type { OperationReference } from '@watchdesk/contract/operations/operations'
import type { Page } from '@watchdesk/contract/page'
import {
  type ListedSheet,
  type Sheet,
  type SheetQuery,
  type SheetRows,
  type SheetRowsQuery,
  type SheetUpdate,
  sheetList,
} from '@watchdesk/contract/sheets'
import { type Selectable, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { changesBetween } from '../../db/audit.ts'
import { editedBy } from '../../db/entity.ts'
import { isoTime } from '../../db/iso-time.ts'
import { likePart, listPage } from '../../db/list.ts'
import type { Db, Trx } from '../../db/open.ts'
import { deleteRecord, editRecord, lockDeletedRecord, lockRecord, restoreRecord } from '../../db/records.ts'
import { countRows, readRows } from '../../db/row-sets.ts'
import type { Tables } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { conflict, found } from '../../problem.ts'
import type { RecordFacts } from '../activity/record-kind.ts'
import { operationReference, personReference } from '../operations/reference.ts'
import { configuredSheets, lockConfig, selectConfig } from './configured.ts'

export const SHEET = {
  kind: 'sheet',
  table: 'sheets',
  name: sql`title`,
  bin: { detail: sql`to_char(row_count, 'FM999,999,999') || case row_count when 1 then ' row' else ' rows' end` },
} as const satisfies RecordFacts

type StoreDeps = Pick<Deps, 'db' | 'read' | 'inSnapshot' | 'rights' | 'env'>

export function sheetsStore({ db, read, inSnapshot, rights, env }: StoreDeps) {
  return { list, get, rows, update, remove, restore }

  async function list(query: SheetQuery): Promise<Page<ListedSheet>> {
    const [config] = await read(selectConfig(db))
    const configured = configuredSheets(config, env.PUBLIC_URL)
    const { objects, ...page } = await listPage(read, {
      table: 'sheets',
      options: sheetList,
      query,
      filters: [
        query.search && likePart(sql`lower(sheets.title)`, query.search),
        query.origin && sql`sheets.origin = ${query.origin}`,
      ],
      rows: (id) => listed(db).where('sheets.id', '=', id),
    })
    return {
      ...page,
      objects: objects.map(({ age, ...sheet }) => {
        const config_keys = configured.get(sheet.id) ?? []
        const isKept = env.SHEETS_KEEP_DAYS === 0 || config_keys.length > 0
        return { ...sheet, config_keys, days_left: isKept ? null : Math.ceil(Math.max(0, env.SHEETS_KEEP_DAYS - age)) }
      }),
    }
  }

  async function get(id: number): Promise<Sheet> {
    return found(await selectSheet(db, id), 'Sheet')
  }

  /** With the total and the version of the same snapshot. */
  function rows(id: number, { offset = 0, limit = ROWS_AT_ONCE, outcome }: SheetRowsQuery): Promise<SheetRows> {
    const outcomes = outcome === undefined ? undefined : [outcome]
    return inSnapshot(async (snapshot) => {
      const { rows_id, version, ...sheet } = found(await selectSheet(snapshot, id), 'Sheet')
      const total = countRows(sheet, outcomes)
      return { rows: await readRows(snapshot, rows_id, { offset, limit, outcomes, total }), total, version }
    })
  }

  function update(actor: Actor, id: number, body: SheetUpdate, ifMatch?: string) {
    return rights.write(actor, async (trx) => {
      const current = await lockRecord(trx, SHEET, id, ifMatch)
      const changes = changesBetween(current, body)
      if (Object.keys(changes).length > 0)
        await editRecord(trx, actor, SHEET, { ...current, name: body.title }, body, { changes })
      return found(await selectSheet(trx, id), 'Sheet')
    })
  }

  function remove(actor: Actor, id: number, ifMatch?: string) {
    return rights.write(actor, async (trx) => {
      const keys = configuredSheets(await lockConfig(trx), env.PUBLIC_URL).get(id)
      const sheet = await lockRecord(trx, SHEET, id, ifMatch)
      if (keys) {
        throw conflict(
          `The website config uses this sheet as ${keys.join(' and ')}. Set another sheet there, then delete this one.`,
        )
      }
      await deleteRecord(trx, actor, SHEET, sheet)
    })
  }

  function restore(actor: Actor, id: number, options: { parent_id?: number } = {}) {
    return rights.write(actor, async (trx) => {
      await restoreRecord(trx, actor, SHEET, await lockDeletedRecord(trx, SHEET, id), options)
      return found(await selectSheet(trx, id), 'Sheet')
    })
  }
}

export type ShownRows = Pick<Sheet, 'header' | 'row_count' | 'outcomes'> & { rows_id: number; bytes: number | null }

/** Makes a locked sheet show another set of rows, and keeps what it showed for the undo. Returns its version. */
export async function showRows(
  trx: Trx,
  actor: Actor,
  import_id: number,
  current: Selectable<Tables['sheets']>,
  { outcomes, ...shown }: ShownRows,
): Promise<number> {
  const { rows_id, header, row_count, bytes } = current
  const before: ShownRows = { rows_id, header, row_count, outcomes: current.outcomes, bytes }
  await trx
    .updateTable('sheets')
    .set({ ...shown, outcomes: outcomes && JSON.stringify(outcomes), ...editedBy(actor) })
    .where('id', '=', current.id)
    .execute()
  await trx
    .insertInto('operation_changes')
    .values({
      operation_id: import_id,
      entity: 'sheet',
      record_id: current.id,
      before: JSON.stringify(before),
      after: JSON.stringify({ rows_id: shown.rows_id }),
    })
    .execute()
  return current.version + 1
}

function selectShared(db: Db) {
  return db
    .selectFrom('sheets')
    .leftJoin('users', 'users.id', 'sheets.created_by')
    .select([
      'sheets.id',
      'sheets.title',
      'sheets.origin',
      'sheets.row_count',
      isoTime(sql`sheets.created_at`).as('created_at'),
      personReference('users.id', 'users.full_name').as('created_by'),
      'sheets.version',
    ])
}

/** With the id of its rows, so that both are of the same version. */
export function selectSheet(db: Db, id: number): Promise<Sheet | undefined> {
  return selectShared(db)
    .select(['sheets.header', 'sheets.outcomes', 'sheets.rows_id'])
    .where('sheets.id', '=', id)
    .where('sheets.deleted_at', 'is', null)
    .executeTakeFirst()
}

function listed(db: Db) {
  return selectShared(db).select([
    'sheets.bytes',
    isoTime(sql`sheets.updated_at`).as('updated_at'),
    CREATED_BY_IMPORT.as('created_by_import'),
    sql<number>`extract(epoch from now() - sheets.updated_at)::float / 86400`.as('age'),
  ])
}

/** By the address of the sheet, because the rows of both can be replaced or undone. As in the index. */
const CREATED_BY_IMPORT = sql<OperationReference | null>`(
  select ${operationReference()} from operations
  where operations.created_sheet_url is not null
    and substring(operations.created_sheet_url from '/sheets/([1-9][0-9]{0,8})$')::int = sheets.id
  order by operations.id limit 1)`
