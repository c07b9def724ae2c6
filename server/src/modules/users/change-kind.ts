import type { UsersChange } from '@watchdesk/contract/operations/changes'
import { sql } from 'kysely'
import { rowsOf } from '../../db/read.ts'
import { type BulkKind, number } from '../operations/changes/kind.ts'
import { ACTIONS, COLUMNS, type UserRow } from './change-actions.ts'
import { factsOf, requireWorkspace } from './facts.ts'
import { whereOf } from './filter.ts'
import { isDangerous } from './rules.ts'

export const usersChange: BulkKind<UsersChange, UserRow> = {
  entities: { many: 'users', one: 'user' },
  table: 'users',
  detailColumn: 'email',
  actions: ACTIONS,
  columns: COLUMNS,
  matches: (actor, { ids, filter = {} }) =>
    ids ? sql`users.deleted_at is null and users.id = any(${ids}::int[])` : whereOf(actor, filter),
  update: (_row, { set = {} }) => set,
  async evaluate(db, actor, wanted) {
    const asked = wanted.flatMap(({ row, action, after }) => [
      { workspace_id: row.fields.workspace_id, email: action === 'restore' ? row.email : undefined },
      { workspace_id: Number(after.workspace_id) },
    ])
    const facts = await factsOf((query) => rowsOf(db, query), asked)
    return wanted.map(({ row, action, after }) => {
      const { refusal, marks } = ACTIONS[action as keyof typeof ACTIONS]
      const [user, later] = [accountOf(row, row.fields), accountOf(row, after)]
      return {
        refusal: refusal(actor, user, later, facts),
        needsRecentSignIn: isDangerous(actor, user, action === 'update' ? later : null),
        marks: marks?.(user, later, facts).filter((mark) => typeof mark === 'string') ?? [],
      }
    })
  },
  async check(db, { set }) {
    if (set?.workspace_id !== undefined) await requireWorkspace(db, set.workspace_id)
  },
  tally() {
    const count = { signedOut: 0, withTokens: 0, movedAdmins: 0 }
    return {
      add({ row, after }, marks) {
        const isMoved = after.workspace_id !== row.fields.workspace_id
        const seesMore = marks.includes('sees everything')
        if ((seesMore || marks.includes('loses access')) && row.has_sessions) count.signedOut += 1
        if (seesMore && row.has_tokens) count.withTokens += 1
        if (isMoved && after.is_admin === true) count.movedAdmins += 1
      },
      notes: () =>
        [
          count.movedAdmins > 0 &&
            `${number(count.movedAdmins, 'of them is a workspace admin and', 'of them are workspace admins and')} will manage the users of the new workspace.`,
          count.signedOut > 0 && `${number(count.signedOut, 'person', 'people')} will be signed out.`,
          count.withTokens > 0 && `The API tokens of ${number(count.withTokens, 'person', 'people')} will end.`,
        ].filter((note) => note !== false),
    }
  },
}

function accountOf({ id, is_auditor, email }: UserRow, fields: object) {
  return { ...(fields as UserRow['fields']), id, is_auditor, email }
}
