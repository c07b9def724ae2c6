import { UserCreate } from '@watchdesk/contract/users.schema'
import { sql } from 'kysely'
import { endedSignIns, endSignIns } from '../../db/access.ts'
import { changesBetween } from '../../db/audit.ts'
import { generatePassword, SUPER_ADMIN } from '../../db/bootstrap.ts'
import { editedBy, isUniqueViolation } from '../../db/entity.ts'
import type { SystemDb, Trx } from '../../db/open.ts'
import { editRecord } from '../../db/records.ts'
import { StartError } from '../../env.ts'
import { auditAccount } from '../auth/audit-account.ts'
import { unlock } from '../auth/session/lockout.ts'
import type { Passwords } from '../auth/session/passwords.ts'
import { secondFactorsOf } from '../auth/session/second-factors.ts'
import { WORKSPACE } from '../workspaces/record.ts'
import { insertUser } from './store.ts'

/** In the audit log, an event without an actor is a system event. */
const OPERATOR = { id: null, name: 'npm run reset-password', ip: null }

type Reset = { email: string; mayCreate: boolean }

/** For an operator who is locked out of the console: sets a new password and revokes all sessions. */
export async function resetPassword(system: SystemDb, passwords: Passwords, { email, mayCreate }: Reset) {
  refuseNoEmail(email)
  const password = generatePassword()
  const password_hash = await passwords.hash(password)
  const outcome = system.transaction().execute(async (trx) => {
    const user = (await update(trx, email, password_hash)) ?? (mayCreate && (await create(trx, email, password_hash)))
    if (user) return { ...user, ...(await openHome(trx, user)), password }
    throw new StartError(
      `No user has the email ${email}. To create a super admin: npm run reset-password -- --create ${email}`,
    )
  })
  return outcome.catch((error) => {
    if (isUniqueViolation(error, 'users_by_email')) throw new StartError(`${email} was created just now: try again`)
    throw error
  })
}

export function refuseNoEmail(email: string) {
  const { error } = UserCreate.shape.email.safeParse(email)
  if (error) throw new StartError(`EMAIL: ${error.issues[0]?.message}`)
}

async function update(trx: Trx, email: string, password_hash: string) {
  const user = await trx
    .updateTable('users')
    .set({ password_hash, has_password: true, ...editedBy(OPERATOR) })
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('deleted_at', 'is', null)
    .returning(['id', 'email', 'is_admin', 'is_super_admin', 'is_auditor', 'full_name', 'workspace_id', 'version'])
    .executeTakeFirst()
  if (!user) return undefined
  const ended = await endSignIns(trx, sql`users.id = ${user.id}`, { withTokens: true })
  await unlock(trx, email)
  const changes = { ...changesBetween({}, { password: true }), ...endedSignIns(ended) }
  await auditAccount(trx, OPERATOR, user, { action: 'update', entity: 'user', version: user.version, changes })
  const hasSecondFactor = (await secondFactorsOf(trx, user.id)).length > 0
  return { ...user, isNew: false, endedSessions: ended.sessions, hasSecondFactor }
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
  const fields = { ...SUPER_ADMIN, email, workspace_id: workspace.id }
  const user = await insertUser(trx, OPERATOR, fields, { password_hash })
  return { ...user, isNew: true, endedSessions: 0, hasSecondFactor: false }
}

/** Nobody can sign in to a deactivated workspace, and nobody else may be there to activate it for a super admin. */
async function openHome(trx: Trx, { workspace_id, is_super_admin }: { workspace_id: number; is_super_admin: boolean }) {
  const { status, ...workspace } = await trx
    .selectFrom('workspaces')
    .select(['id', 'name', 'status', 'version'])
    .where('id', '=', workspace_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (status !== 'DEACTIVATED') return {}
  if (!is_super_admin) return { deactivatedWorkspace: workspace.name }
  const changes = { status: { before: status, after: null } }
  await editRecord(trx, OPERATOR, WORKSPACE, { ...workspace, workspace_id }, { status: null }, { changes })
  return { activatedWorkspace: workspace.name }
}
