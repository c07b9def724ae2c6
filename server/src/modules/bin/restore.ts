import type { BinOutcome, BinRestore } from '@watchdesk/contract/bin'
import { keysOf } from '@watchdesk/contract/list'
import type { DeletableKind } from '@watchdesk/contract/records'
import { sql } from 'kysely'
import { type Actor, requireRecentSignIn } from '../../actor.ts'
import { audit } from '../../db/audit.ts'
import { exists } from '../../db/read.ts'
import type { Deps } from '../../deps.ts'
import { Problem } from '../../problem.ts'

/** The reasons that concern one record. Others end the call: what was restored before stays restored. */
const REASONS = [403, 404, 409, 423]

type Restored = BinRestore['records'][number]

/** Restores many records, each in a transaction of its own, with the same rules as one. */
export async function restoreMany(deps: Deps, actor: Actor, records: Restored[]): Promise<BinOutcome[]> {
  await checkDanger(deps, actor, records)
  const unique = new Map(records.map((record) => [keyOf(record), record]))
  const parent_id = await deps.rights.write(actor, (trx) =>
    audit(trx, actor, {
      action: 'restore',
      entity: 'bin',
      entity_id: null,
      ...(!actor.seesEverything && { workspace_id: actor.workspace_id }),
      changes: { records: { before: null, after: unique.size } },
    }),
  )
  const problems = new Map<string, string | null>()
  for (const kind of keysOf(deps.records.deletable)) {
    for (const [key, record] of unique) {
      if (record.kind === kind) problems.set(key, await restoreOne(deps, actor, record, parent_id))
    }
  }
  return records.map((record) => ({ ...record, problem: problems.get(keyOf(record)) ?? null }))
}

function keyOf({ kind, id }: Restored) {
  return `${kind} ${id}`
}

/** Before anything is restored: a call that has to be repeated after another sign-in has done nothing. */
async function checkDanger({ db }: Deps, actor: Actor, records: Restored[]) {
  if (!actor.seesEverything) return
  const idsOf = (kind: DeletableKind) => records.filter((record) => record.kind === kind).map(({ id }) => id)
  const dangerous = sql`select from users
    where deleted_at is not null and (is_super_admin or is_auditor) and (id = any(${idsOf('user')}::int[])
      or (workspace_id = any(${idsOf('workspace')}::int[]) and deleted_with_workspace))`
  if (await exists(db, dangerous)) requireRecentSignIn(actor)
}

async function restoreOne(deps: Deps, actor: Actor, { kind, id }: Restored, parent_id: number) {
  try {
    // Only users belong to a workspace. The access of the other calls is checked by their routes.
    if (kind !== 'user' && !actor.seesEverything) throw new Problem(404, `Deleted ${kind} not found.`)
    await deps.records.deletable[kind].store(deps).restore(actor, id, { parent_id })
    return null
  } catch (error) {
    if (error instanceof Problem && REASONS.includes(error.status)) return error.message
    throw error
  }
}
