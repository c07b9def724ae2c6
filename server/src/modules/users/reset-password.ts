import { USER_DEFAULTS } from '@watchdesk/contract/users'
import { UserCreate } from '@watchdesk/contract/users.schema'
import { sql } from 'kysely'
import { endedSignIns, endSignIns } from '../../db/access.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { generatePassword } from '../../db/bootstrap.ts'
import { isUniqueViolation } from '../../db/entity.ts'
import type { SystemDb, Trx } from '../../db/open.ts'
import { StartError } from '../../env.ts'
import { unlock } from '../auth/session/lockout.ts'
import type { Passwords } from '../auth/session/passwords.ts'
import { secondFactorsOf } from '../auth/session/second-factors.ts'

/** In the audit log, an event without an actor is a system event. */
const OPERATOR = { id: null, name: 'npm run reset-password', ip: null }

type Reset = { email: string; mayCreate: boolean }

/** For an operator who is locked out of the console: sets a new password and revokes all sessions. */
export async function resetPassword(system: SystemDb, passwords: Passwords, { email, mayCreate }: Reset) {
  refuseNoEmail(email)
  const password = generatePassword()
  const password_hash = await passwords.hash(password)
  const outcome = await system
    .transaction()
    .execute(
      async (trx) => (await update(trx, email, password_hash)) ?? (mayCreate && create(trx, email, password_hash)),
    )
    .catch((error) => {
      if (isUniqueViolation(error, 'users_by_email')) throw new StartError(`${email} was created just now: try again`)
      throw error
    })
  if (outcome) return { ...outcome, password }
  throw new StartError(
    `No user has the email ${email}. To create a super admin: npm run reset-password -- --create ${email}`,
  )
}

export function refuseNoEmail(email: string) {
  const { error } = UserCreate.shape.email.safeParse(email)
  if (error) throw new StartError(`EMAIL: ${error.issues[0]?.message}`)
}

async function update(trx: Trx, email: string, password_hash: string) {
  const user = await trx
    .updateTable('users')
    .set({ password_hash, has_password: true, version: sql`version + 1`, updated_at: sql`now()`, updated_by: null })
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('deleted_at', 'is', null)
    .returning(['id', 'email', 'is_admin', 'is_super_admin', 'is_auditor', 'full_name', 'workspace_id', 'version'])
    .executeTakeFirst()
  if (!user) return undefined
  const home = await openHome(trx, user)
  const ended = await endSignIns(trx, sql`users.id = ${user.id}`, { withTokens: true })
  await unlock(trx, email)
  const changes = { ...changesBetween({}, { password: true }), ...endedSignIns(ended) }
  const { id, full_name, workspace_id, version } = user
  const record = { name: full_name, detail: user.email, workspace_id, version }
  await audit(trx, OPERATOR, { action: 'update', entity: 'user', entity_id: id, record, changes })
  const hasSecondFactor = (await secondFactorsOf(trx, id)).length > 0
  return { ...user, ...home, isNew: false, endedSessions: ended.sessions, hasSecondFactor }
}

async function create(trx: Trx, email: string, password_hash: string) {
  const workspace = await trx
    .selectFrom('workspaces')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy(sql`status is not distinct from 'DEACTIVATED'`)
    .orderBy(sql`status is distinct from 'INTERNAL'`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!workspace) throw new StartError('There is no workspace to create the super admin in: restore a backup')
  const fields = {
    ...USER_DEFAULTS,
    first_name: 'Super',
    last_name: 'Admin',
    email,
    workspace_id: workspace.id,
    is_super_admin: true,
  }
  const user = await trx
    .insertInto('users')
    .values({ ...fields, password_hash, updated_by: null })
    .returning(['id', 'email', 'is_admin', 'is_super_admin', 'is_auditor'])
    .executeTakeFirstOrThrow()
  const changes = changesBetween({}, fields)
  const record = { name: 'Super Admin', detail: email, workspace_id: workspace.id, version: 1 }
  await audit(trx, OPERATOR, { action: 'create', entity: 'user', entity_id: user.id, record, changes })
  const home = await openHome(trx, { ...user, workspace_id: workspace.id })
  return { ...user, ...home, isNew: true, endedSessions: 0, hasSecondFactor: false }
}

/** Nobody can sign in to a deactivated workspace, and nobody else may be there to activate it for a super admin. */
async function openHome(trx: Trx, { workspace_id, is_super_admin }: { workspace_id: number; is_super_admin: boolean }) {
  const { name, status, version } = await trx
    .selectFrom('workspaces')
    .select(['name', 'status', 'version'])
    .where('id', '=', workspace_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (status !== 'DEACTIVATED') return {}
  if (!is_super_admin) return { deactivatedWorkspace: name }
  await trx
    .updateTable('workspaces')
    .set({ status: null, version: sql`version + 1`, updated_at: sql`now()`, updated_by: null })
    .where('id', '=', workspace_id)
    .execute()
  const changes = { status: { before: status, after: null } }
  const record = { name, workspace_id, version: version + 1 }
  await audit(trx, OPERATOR, { action: 'update', entity: 'workspace', entity_id: workspace_id, record, changes })
  return { activatedWorkspace: name }
}
