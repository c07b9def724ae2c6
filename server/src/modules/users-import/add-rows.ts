import { keysOf } from '@watchdesk/contract/list'
import { USER_ROW_COLUMNS } from '@watchdesk/contract/user-row'
import { UserFields } from '@watchdesk/contract/users.schema'
import type { UsersImported } from '@watchdesk/contract/users-import'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit, auditParts, changesBetween } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'
import { countOutcomes, createRowSet, insertRows } from '../../db/row-sets.ts'
import { number } from '../operations/changes/kind.ts'
import { endOperation } from '../operations/record.ts'
import { findTaken, type ImportedRow, keyOf, refuse } from './check-rows.ts'
import type { Run } from './run.ts'

/** Nobody is added as an auditor. */
const FIELDS = keysOf(UserFields.omit({ is_auditor: true }).shape)

export async function addRows(trx: Trx, actor: Actor, run: Run, checked: ImportedRow[]): Promise<UsersImported> {
  // Copied, because a transaction that is tried again begins with the same rows.
  const rows = checked.map((row) => ({ ...row }))
  const added = await insertUsers(trx, actor, rows)
  const tooLate = rows.filter((row) => row.outcome === 'added' && !added.has(keyOf(row)))
  const taken = await findTaken(trx, tooLate, run.id)
  for (const row of tooLate) refuse(row, taken.get(keyOf(row)) ?? null)
  const event_id = added.size > 0 ? await recordEvents(trx, actor, run, [...added.values()]) : run.event_id
  const { rows_id, counts } = await saveRows(trx, run, rows)
  const added_count = counts.added ?? 0
  await endOperation(trx, run.id, {
    counts,
    rows_id,
    details: { event_id, summary: summaryOf(added_count, run.rows_count) },
  })
  return {
    import_id: run.id,
    rows: rows.map((row) => ({
      row: row.row,
      user_id: row.outcome === 'added' ? (added.get(keyOf(row)) ?? null) : null,
      email: row.user.email,
      name: `${row.user.first_name} ${row.user.last_name}`.trim(),
      outcome: row.outcome,
      reason: row.reason,
    })),
    added_count,
  }
}

/** In the order of their emails, so that two calls do not end in a deadlock. */
async function insertUsers(trx: Trx, actor: Actor, rows: ImportedRow[]) {
  const values = rows
    .flatMap(({ outcome, user, password_hash, isWithoutPassword }) =>
      outcome === 'added' && password_hash
        ? [{ ...user, password_hash, has_password: !isWithoutPassword, updated_by: actor.id }]
        : [],
    )
    .sort((one, other) => (one.email.toLowerCase() < other.email.toLowerCase() ? -1 : 1))
  if (values.length === 0) return new Map<string, number>()
  const inserted = await trx
    .insertInto('users')
    .values(values)
    // Somebody else may have added them since they were looked up.
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).where('deleted_at', 'is', null).doNothing())
    .returning(['id', 'email'])
    .execute()
  return new Map(inserted.map(({ id, email }) => [email.toLowerCase(), id]))
}

/** One event for the whole run, created with its first user, and a part of it for each user. */
async function recordEvents(trx: Trx, actor: Actor, run: Run, ids: number[]) {
  const { id, name, workspace_id, rows_count } = run
  const event_id =
    run.event_id ??
    (await audit(trx, actor, {
      action: 'import',
      entity: 'users',
      entity_id: id,
      ...(name === null ? { workspace_id } : { record: { name, workspace_id } }),
      changes: changesBetween({}, { import_id: id, workspace_id, rows_count }),
    }))
  const created = sql`select id as entity_id, full_name as record_name, email as record_detail, workspace_id, version,
      (select jsonb_object_agg(key, jsonb_build_object('before', null, 'after', value)) from jsonb_each(to_jsonb(users))
        where key = any(${FIELDS}::text[])) as changes
    from users where id = any(${ids}::int[]) order by id`
  await auditParts(trx, actor, { action: 'create', entity: 'user', parent_id: event_id }, created)
  await sql`insert into operation_changes (operation_id, entity, record_id, after)
    select ${id}::int, 'users', unnest(${ids}::int[]), '{"version": 1}'`.execute(trx)
  return event_id
}

/** No password is kept. */
async function saveRows(trx: Trx, { rows_id, done_count, counts: earlier }: Run, rows: ImportedRow[]) {
  const lines = rows.map(({ row, user, reason, outcome }) => [
    String(row),
    user.email,
    user.first_name,
    user.last_name,
    reason ?? '',
    outcome,
  ])
  const column = USER_ROW_COLUMNS.indexOf('outcome')
  const counts = countOutcomes(lines, column, earlier)
  const row_count = done_count + lines.length
  const id = rows_id ?? (await createRowSet(trx, { header: USER_ROW_COLUMNS, row_count, outcomes: counts }))
  if (rows_id !== null) {
    const set = { row_count, outcomes: JSON.stringify(counts) }
    await trx.updateTable('row_sets').set(set).where('id', '=', id).execute()
  }
  await insertRows(trx, id, done_count, lines, column)
  return { rows_id: id, counts }
}

function summaryOf(added: number, wanted: number) {
  return `Added ${added === wanted ? '' : `${added.toLocaleString('en')} of `}${number(wanted, 'user')}`
}
