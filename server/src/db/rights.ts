import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Pool } from 'pg'
import { type Actor, refusalToChange } from '../actor.ts'
import { forbidden, refuse, signedOut } from '../problem.ts'
import { userHasAccess } from './access.ts'
import { credentialsOf, hasSameRights } from './callers.ts'
import { type Copy, copyingTransaction } from './copy.ts'
import { retryOnDeadlock } from './deadlock.ts'
import { lockIfSuperAdmins } from './entity.ts'
import { finishJob, type JobRow } from './job-queue.ts'
import { cancellable, requireOwner } from './job-rights.ts'
import { type Held, LeaseLost } from './leases.ts'
import { briefTransaction, madeBy, nameBlocker, waitBriefly } from './lock-wait.ts'
import { moreTime } from './long.ts'
import type { Db, SystemDb, Trx } from './open.ts'
import { exists } from './read.ts'
import { isSeen } from './scope.ts'
import type { Tables } from './tables.ts'

export type Rights = ReturnType<typeof createRights>

/** A workspace is deleted and restored with all of its users in one statement. */
const WITH_USERS_MS = 120_000

type UserRow = Selectable<Tables['users']>
type Work<Result, More extends unknown[] = []> = (trx: Trx, ...more: More) => Promise<Result>

/**
 * The only way for a call to write. Session and rights are read again in the transaction of the change and locked until its
 * commit: a revocation comes first, and the call is rejected, or waits. See docs/decisions/0010-revocation.md.
 */
export function createRights(system: SystemDb, pool: Pool) {
  return {
    write,
    record,
    writeUser,
    writeLong,
    writeWithUsers,
    writeForJob,
    check: (actor: Actor) => checkRights(system, actor),
  }

  /** For short writes: a revocation waits for them. May be retried, so the work must only change the database. */
  function write<Result>(actor: Actor, work: Work<Result>) {
    refuse(refusalToChange(actor))
    return record(actor, work)
  }

  /** The same for the event of a call that only reads, such as a download. */
  function record<Result>(actor: Actor, work: Work<Result>) {
    return short(actor, async (trx) => {
      await lockCaller(trx, actor)
      return work(trx)
    })
  }

  /** The same for a change to a user, whose row is locked and passed to the work, even if it is deleted. */
  function writeUser<Result>(
    actor: Actor,
    { id, mayLoseSuperAdmin = false }: { id: number; mayLoseSuperAdmin?: boolean },
    work: Work<Result, [user: UserRow | undefined]>,
  ) {
    refuse(refusalToChange(actor))
    return short(actor, async (trx) => {
      if (mayLoseSuperAdmin) await lockIfSuperAdmins(trx, sql`id = ${id}`)
      const user = await lockCallerAndUser(trx, actor, id)
      if (!user) await lockCaller(trx, actor)
      return work(trx, user)
    })
  }

  function short<Result>(actor: Actor, work: Work<Result>) {
    const write = () => briefTransaction(system, work)
    return nameBlocker(system, actor, retryOnDeadlock(write))
  }

  /** For writes that take minutes: a revocation does not wait for them, so the rights are checked again at the end. */
  async function writeLong<Result>(actor: Actor, milliseconds: number, work: Work<Result, [copy: Copy]>) {
    refuse(refusalToChange(actor))
    return copyingTransaction(pool, async (trx, copy) => {
      await checkRights(trx, actor, { selected: sql`${moreTime(milliseconds)}, ${madeBy(actor.id)}` })
      const result = await work(trx, copy)
      await lockCaller(trx, actor)
      return result
    })
  }

  /** The same for a workspace with all of its users, however many there are. Like a short write, it waits for nobody for long. */
  function writeWithUsers<Result>(actor: Actor, work: Work<Result>) {
    const write = () => writeLong(actor, WITH_USERS_MS, (trx) => waitBriefly(trx).then(() => work(trx)))
    return nameBlocker(system, actor, retryOnDeadlock(write))
  }

  /** For a job, whose owner has no session. It ends in the same transaction, so that its effect is saved once. */
  function writeForJob<Result>(
    job: Held & Pick<JobRow, 'created_by'>,
    { milliseconds, signal }: { milliseconds: number; signal: AbortSignal },
    work: Work<Result, [copy: Copy]>,
  ) {
    return copyingTransaction(pool, async (trx, copy) => {
      await sql`select ${moreTime(milliseconds)}, ${madeBy(job.created_by)}`.execute(trx)
      await requireOwner(trx, job.created_by)
      const result = await cancellable(trx, pool, signal, () => work(trx, copy))
      await requireOwner(trx, job.created_by, sql`for share of workspaces, users`)
      if (!(await finishJob(trx, job, result))) throw new LeaseLost()
      return result
    })
  }
}

/** Rejects a caller who has lost the session or the rights since the call began. Call it before irreversible work. */
export async function checkRights(
  db: SystemDb | Trx,
  actor: Actor,
  { selected = sql`users.id`, locks = sql`` }: { selected?: RawBuilder<unknown>; locks?: RawBuilder<unknown> } = {},
) {
  const { users } = credentialsOf(actor)
  const { rows } = await sql`select ${selected} from ${users} where ${hasSameRights(actor)} ${locks}`.execute(db)
  if (rows.length === 0) throw await refusal(db, actor)
}

/** The same until the commit. */
function lockCaller(trx: Trx, actor: Actor) {
  return checkRights(trx, actor, { locks: credentialsOf(actor).locks })
}

/** Undefined also for a user that the caller does not see: it waits for nobody who changes such a user. */
async function lockCallerAndUser(trx: Trx, actor: Actor, id: number): Promise<UserRow | undefined> {
  const { users, locks } = credentialsOf(actor)
  const lockTarget = sql`for no key update of target`
  // Two users who edit each other lock the same row first, so that they do not deadlock.
  const inOrder = id <= actor.id ? sql`${lockTarget} ${locks}` : sql`${locks} ${lockTarget}`
  const { rows } = await sql<UserRow>`select target.* from ${users} cross join users as target
    where ${hasSameRights(actor)} and target.id = ${id}
      and ${isSeen(actor, sql`target.workspace_id`)} ${inOrder}`.execute(trx)
  return rows[0]
}

async function refusal(db: Db, actor: Actor) {
  const hasSession = await exists(
    db,
    sql`select from ${credentialsOf(actor).users} where credentials.token_hash = ${actor.token_hash}
      and users.deleted_at is null and ${userHasAccess} and clock_timestamp() < ${actor.session_ends_at}`,
  )
  return hasSession ? forbidden('Your access has changed, so nothing was saved. Reload the page.') : signedOut()
}
