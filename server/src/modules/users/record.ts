import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { likePart } from '../../db/list.ts'
import type { Read } from '../../db/read.ts'
import type { BinProblem, RecordFacts } from '../activity/record-kind.ts'
import { factsOf } from './facts.ts'
import { type DeletedAccount, refusalToRestore } from './rules.ts'

export const USER = {
  kind: 'user',
  table: 'users',
  name: sql`full_name`,
  detail: sql`email`,
  workspace_id: sql`workspace_id`,
  alsoSet: (actor, isDeleted) =>
    isDeleted ? { deleted_by_super_admin: actor.seesEverything } : { deleted_with_workspace: false },
  bin: {
    detail: sql`email`,
    workspace: sql`(select json_build_object('id', id, 'name', name) from workspaces where id = users.workspace_id)`,
    isFound: (search) => likePart(sql`search_text`, search),
    problems,
  },
} as const satisfies RecordFacts

async function problems(read: Read, actor: Actor, ids: number[]) {
  const users = await read(
    sql<DeletedAccount>`select id, workspace_id, email, is_admin, is_super_admin, is_auditor, deleted_by_super_admin
      from users where id = any(${ids}::int[])`,
  )
  const facts = await factsOf(read, users)
  const found = new Map<number, BinProblem>()
  for (const user of users) {
    const problem = refusalToRestore(actor, user, facts)
    if (problem) found.set(user.id, problem)
  }
  return found
}
