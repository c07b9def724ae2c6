import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { endSignIns } from '../../db/access.ts'
import { isUniqueViolation } from '../../db/entity.ts'
import type { Trx } from '../../db/open.ts'
import { secondFactorHash } from '../auth/session/lockout.ts'
import { after, type BulkAction, changes, inRange, type Range } from './kind.ts'
import { ChangedMeanwhile } from './retry.ts'

type Sql = RawBuilder<unknown>

const CASTS: Record<string, Sql> = {
  workspace_id: sql`int`,
  type: sql`text`,
  language: sql`text`,
  is_admin: sql`boolean`,
  is_super_admin: sql`boolean`,
}

/** Also true after the change: then the row has the new values. */
export const isAfter = (field: string) => sql`coalesce(${after(field)}::boolean, ${sql.ref(`users.${field}`)})`
export const losesAccess = sql`((${changes('is_admin')} or ${changes('is_super_admin')})
  and not ${isAfter('is_admin')} and not ${isAfter('is_super_admin')} and not users.is_auditor)`
const isMovedToDeactivated = sql`(${changes('workspace_id')} and exists (select from workspaces
  where id = ${after('workspace_id')}::int and status = 'DEACTIVATED'))`

/** Somebody else who could sign in as the user before must not become a super admin. */
export const becomesSuperAdmin = sql`(${changes('is_super_admin')} and ${isAfter('is_super_admin')})`

/** Whether the change of `users`, with its fields in `wanted`, ends the access of the user. */
export function endsAccess(action: BulkAction) {
  return action === 'update' ? sql`(${losesAccess} or ${isMovedToDeactivated})` : sql.lit(action === 'delete')
}

/** Whether the change ends the sessions of the user. */
export function endsSessions(action: BulkAction) {
  if (action === 'update') return sql`(${endsAccess(action)} or ${becomesSuperAdmin})`
  return sql.lit(action === 'delete' || action === 'end_sessions')
}

export async function applyToUsers(trx: Trx, actor: Actor, action: BulkAction, range: Range, fields: string[]) {
  if (action === 'unlock') {
    await sql`delete from failed_sign_ins using chosen
      where ${inRange(range)}
        and email_hash in (sha256(lower(chosen.detail)::bytea), ${secondFactorHash(sql`chosen.id`)})`.execute(trx)
  }
  if (action === 'unlock' || action === 'end_sessions') return range.to - range.from
  const edited = sql`version = users.version + 1, updated_at = now(), updated_by = ${actor.id}::int`
  const { numAffectedRows } = await sql`update users set ${setting(action, fields)}, ${edited} from chosen
    where ${inRange(range)} and users.id = chosen.id and users.version = chosen.version`
    .execute(trx)
    .catch(asChanged)
  return Number(numAffectedRows ?? 0)
}

/** Somebody else got the email of a user who is being restored. */
export function asChanged(error: unknown): never {
  throw isUniqueViolation(error, 'users_by_email') ? new ChangedMeanwhile() : error
}

function setting(action: BulkAction, fields: string[]) {
  if (action === 'delete') return sql`deleted_at = now(), deleted_by_super_admin = true`
  if (action === 'restore') return sql`deleted_at = null, deleted_with_workspace = false`
  return sql.join(
    fields.map((field) => {
      const value = sql`${after(field, sql`chosen.changes`)}::${CASTS[field]}`
      return sql`${sql.ref(field)} = coalesce(${value}, ${sql.ref(`users.${field}`)})`
    }),
  )
}

/** Locks the workspaces that users are moved or restored to, so that they cannot be deleted before the commit. */
export async function holdWorkspaces(trx: Trx, action: BulkAction) {
  const isNew = action === 'restore' ? sql`true` : changes('workspace_id', sql`changes`)
  const { rows } = await sql<{ is_deleted: boolean }>`select deleted_at is not null as is_deleted from workspaces
    where id in (select workspace_id from chosen where place is not null and ${isNew}) order by id for share`.execute(
    trx,
  )
  if (rows.some(({ is_deleted }) => is_deleted)) throw new ChangedMeanwhile()
}

export async function endSessions(trx: Trx, action: BulkAction) {
  const whose = (isSo: Sql) => sql`users.id in (
    select users.id from users join chosen as wanted on wanted.id = users.id
    where wanted.place is not null and ${isSo})`
  if (action === 'end_sessions') return endSignIns(trx, whose(sql`true`))
  await endSignIns(trx, whose(endsAccess(action)), { withTokens: true })
  if (action === 'update') await endSignIns(trx, whose(becomesSuperAdmin), { withTokens: true, withLinks: false })
}
