import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { likePart } from '../../db/list.ts'
import type { Read } from '../../db/read.ts'
import type { BinProblem, RecordFacts } from '../activity/record-kind.ts'
import { EMAIL_TAKEN } from './rules.ts'
import { withTakenEmails } from './users.ts'

/** Of each deleted workspace, for taken emails. The restore itself checks all of them. */
const CHECKED_USERS = 10_000

export const WORKSPACE = {
  kind: 'workspace',
  table: 'workspaces',
  name: sql`name`,
  workspace_id: sql`id`,
  bin: {
    detail: sql`nullif(description, '')`,
    users: sql`(select count(*) from users where workspace_id = workspaces.id and deleted_with_workspace)`,
    isFound: (search) => sql`(${likePart(sql`lower(name)`, search)} or id in (
      select workspace_id from users where deleted_with_workspace and ${likePart(sql`search_text`, search)}))`,
    problems,
  },
} as const satisfies RecordFacts

async function problems(read: Read, _actor: Actor, ids: number[]) {
  const problem: BinProblem = { reason: 'email_taken', text: EMAIL_TAKEN, taken_by: null }
  return new Map((await read(withTakenEmails(ids, CHECKED_USERS))).map(({ id }) => [id, problem]))
}
