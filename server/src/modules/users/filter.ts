import { USER_CHOICE_NAMES, type UserChoice, type UserFilter } from '@watchdesk/contract/users'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { matches } from '../../db/list.ts'
import { isLocked } from '../auth/session/lockout.ts'

const ROLES = {
  super_admin: sql`users.is_super_admin`,
  admin: sql`users.is_admin`,
  auditor: sql`users.is_auditor`,
  none: sql`not users.is_admin and not users.is_super_admin and not users.is_auditor`,
}

/** The conditions of the list, a file and a change of many users, within what the caller may see. */
export function conditionsOf(actor: Pick<Actor, 'seesEverything' | 'workspace_id'>, filter: UserFilter) {
  const { search, workspace_ids, role, sign_in, signed_in_from, signed_in_to, locked } = filter
  return [
    !actor.seesEverything && sql`users.workspace_id = ${actor.workspace_id}`,
    workspace_ids && sql`users.workspace_id = any(${workspace_ids}::int[])`,
    matches('users.search_text', search),
    role && ROLES[role],
    ...USER_CHOICE_NAMES.map((field) => filter[field] && isChosen(field, filter[field])),
    sign_in && sql`not exists (select from sign_ins where sign_ins.user_id = users.id)`,
    (signed_in_from ?? signed_in_to) && signedInBetween(signed_in_from, signed_in_to),
    locked && isLocked(),
  ].filter((condition) => typeof condition === 'object')
}

export function whereOf(actor: Actor, filter: UserFilter) {
  return sql<boolean>`${sql.join([sql`users.deleted_at is null`, ...conditionsOf(actor, filter)], sql` and `)}`
}

function isChosen(field: UserChoice, value: string) {
  return sql`${sql.ref(`users.${field}`)} = ${value === 'auto' ? '' : value}`
}

function signedInBetween(from: string | undefined, to: string | undefined) {
  return sql`users.id in (select user_id from sign_ins where at >= coalesce(${from ?? null}::date, '-infinity')::timestamp at time zone 'UTC'
    and at < (coalesce(${to ?? null}::date, 'infinity') + 1)::timestamp at time zone 'UTC')`
}
