import { createHash } from 'node:crypto'
import type { AuditEvent } from '@watchdesk/contract/activity'
import { pick } from '@watchdesk/contract/list'
import type { BulkPreview } from '@watchdesk/contract/operations/changes'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../actor.ts'
import { changesBetween } from '../../../db/audit.ts'
import { isoTime } from '../../../db/iso-time.ts'
import type { Db, Trx } from '../../../db/open.ts'
import { rowsOf } from '../../../db/read.ts'
import { lockRows } from '../../../db/records.ts'
import {
  actionOf,
  type BulkAction,
  type BulkBody,
  type BulkKind,
  type BulkRow,
  type Fields,
  type Verdict,
} from './kind.ts'

type Sql = RawBuilder<unknown>

/** Few enough that other calls hardly wait while their rows are read and evaluated. */
const AT_ONCE = 250

export type Plan = {
  action: BulkAction
  ids: number[]
  /** Without one, it is an undo. */
  body?: BulkBody
  /** What the records still have to be when they are evaluated. */
  matches?: Sql
  /** Selects what an undo has to know of a record, as its `kept`. */
  kept?: Sql
  wish(row: BulkRow): Wish
  isChosen?(evaluated: Evaluated): boolean
}

type Wish = {
  after: Fields
  isPossible?: boolean
  /** Whether the record is as the change that is undone left it. */
  isUnchanged?: boolean
}

export type Evaluated = Required<Omit<Wish, 'isPossible'> & Omit<Verdict, 'refusal'>> & {
  row: BulkRow
  changes: AuditEvent['changes']
  isChanged: boolean
  refusal: string | null
}

export function outcomeOf({ isChanged, refusal }: Evaluated) {
  if (refusal !== null) return 'refused'
  return isChanged ? 'changed' : 'unchanged'
}

export async function planOf(db: Db, actor: Actor, kind: BulkKind, body: BulkBody): Promise<Plan> {
  await kind.check?.(db, body)
  const { action } = body
  const matches = kind.matches(actor, body)
  const table = sql.table(kind.table)
  const ids = await idsOf(db, sql`select ${table}.id from ${table} where ${matches} order by ${table}.id`)
  const wish = (row: BulkRow) => ({
    after: action === 'update' ? { ...row.fields, ...kind.update(row, body) } : row.fields,
  })
  return { action, ids, body, matches, wish }
}

export async function idsOf(db: Db, query: Sql) {
  const rows = await rowsOf(db, sql<Pick<BulkRow, 'id'>>`${query}`)
  return rows.map(({ id }) => id)
}

/** Asks the rules about each record, some at a time and in the order of their ids, so that other calls are not delayed. */
export async function* evaluate(
  db: Db,
  actor: Actor,
  kind: BulkKind,
  plan: Plan,
  after_id = 0,
): AsyncGenerator<Evaluated> {
  const { action, body } = plan
  for (let at = plan.ids.findIndex((id) => id > after_id); at >= 0 && at < plan.ids.length; at += AT_ONCE) {
    const ids = plan.ids.slice(at, at + AT_ONCE)
    const evaluated = (await rowsOf(db, rowsQuery(kind, ids, plan))).map((row) => {
      const { after, isPossible = true, isUnchanged = true } = plan.wish(row)
      const changes = action === 'update' ? changesBetween(row.fields, after) : {}
      const hasEffect =
        action === 'update' ? Object.keys(changes).length > 0 : (actionOf(kind, action).hasEffect?.(row) ?? true)
      return { row, action, after, changes, isChanged: isPossible && hasEffect, isUnchanged }
    })
    const changing = evaluated.filter(({ isChanged }) => isChanged)
    const verdicts = await kind.evaluate(db, actor, changing, body)
    for (const each of evaluated) {
      const verdict: Verdict = (each.isChanged && verdicts.shift()) || {}
      const { refusal = null, needsRecentSignIn = false, marks = [], identity = String(each.row.id) } = verdict
      yield { ...each, refusal, needsRecentSignIn, marks, identity }
    }
  }
}

function rowsQuery(kind: BulkKind, ids: number[], { matches = sql`true`, kept = sql`null::jsonb` }: Plan) {
  const table = sql.table(kind.table)
  const column = (name: string) => sql.ref(`${kind.table}.${name}`)
  return sql<BulkRow>`select ${column('id')}, ${column('version')}, ${column('deleted_at')} is null as is_live,
      ${isoTime(column('updated_at'))} as updated_at, (select json_build_object('id', editors.id, 'name', editors.full_name)
        from users as editors where editors.id = ${column('updated_by')}) as updated_by, (${kept}) as kept, ${kind.columns}
    from ${table} where ${column('id')} = any(${ids}::int[]) and (${matches}) order by ${column('id')}`
}

export type Counted = Omit<BulkPreview, 'changed' | 'refused' | 'notes'> & { needsRecentSignIn: boolean }

export function counter() {
  const counted = { count: 0, changed_count: 0, unchanged_count: 0, refused_count: 0, needsRecentSignIn: false }
  const fields = new Set<string>()
  const checksum = createHash('md5')
  return {
    add(evaluated: Evaluated) {
      const outcome = outcomeOf(evaluated)
      counted.count += 1
      counted[`${outcome}_count`] += 1
      if (outcome !== 'changed') return
      checksum.update(counted.changed_count === 1 ? evaluated.identity : `,${evaluated.identity}`)
      counted.needsRecentSignIn ||= evaluated.needsRecentSignIn
      for (const field of Object.keys(evaluated.changes)) fields.add(field)
    },
    result: (): Counted => ({ ...counted, checksum: checksum.digest('hex'), changed_fields: [...fields].sort() }),
  }
}

/** Locks are statements of their own: one that also read the records would see them from before it had to wait. */
export async function choose(trx: Trx, actor: Actor, kind: BulkKind, plan: Plan, locksFirst: boolean) {
  const { action, ids, body, isChosen = () => true } = plan
  const areHeld = await actionOf(kind, action).lockBefore?.(trx, ids, body)
  if (body) await kind.check?.(trx, body)
  if (locksFirst || areHeld) await lockRows(trx, kind.table, sql`id = any(${ids}::int[])`, 'no key update')
  await sql`create temp table chosen (number integer not null, place integer, id integer not null,
    version integer not null, name text, detail text, workspace_id integer, changes jsonb not null, reason text,
    marks text[] not null) on commit drop`.execute(trx)
  const { add, result } = counter()
  let [number, place] = [0, 0]
  const rows: object[] = []
  for await (const evaluated of evaluate(trx, actor, kind, plan)) {
    if (!isChosen(evaluated)) continue
    add(evaluated)
    if (!evaluated.isChanged) continue
    const { row, changes, refusal: reason, marks } = evaluated
    const workspace_id = changes.workspace_id?.after ?? row.workspace_id
    number += 1
    if (reason === null) place += 1
    const of = pick(row, ['id', 'version', 'name', 'detail'])
    rows.push({ ...of, number, place: reason === null ? place : null, workspace_id, changes, reason, marks })
    if (rows.length === AT_ONCE) await insert(trx, rows.splice(0))
  }
  await insert(trx, rows)
  await sql`create index on chosen (place)`.execute(trx)
  await sql`analyze chosen`.execute(trx)
  return result()
}

async function insert(trx: Trx, rows: object[]) {
  await sql`insert into chosen select * from jsonb_populate_recordset(null::chosen, ${JSON.stringify(rows)}::jsonb)`.execute(
    trx,
  )
}
