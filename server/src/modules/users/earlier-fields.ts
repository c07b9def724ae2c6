import { UserUpdate } from '@watchdesk/contract/users.schema'
import type { Deps } from '../../deps.ts'
import { type EarlierFields, fieldsOf } from '../activity/record-kind.ts'
import { factsOf } from './facts.ts'
import { type Account, refusal } from './rules.ts'
import { usersStore } from './store.ts'

/** How fields of a user are put back. */
export function userFields(deps: Deps): EarlierFields {
  const users = usersStore(deps)
  return fieldsOf(UserUpdate, {
    get: (id, actor) => users.get(actor, id),
    update: users.update,
    async check(actor, current, field, then) {
      const isSelf = current.id === actor.id
      if (field === 'email' && isSelf) return { problem: 'Change your own email on your user page.' }
      const before = { ...(current.values as Account), id: current.id }
      const after = { ...before, [field]: then[field] }
      const { workspace_id, email } = after
      const facts = await factsOf(deps.read, [{ workspace_id, email: field === 'email' ? email : undefined }])
      const problem = refusal(actor, before, after, facts)?.message
      // An auditor is no admin, so such roles can only be put back together.
      const roles = Object.fromEntries(ROLES.map((name) => [name, then[name]]))
      const isPossible = ROLES.includes(field) && !refusal(actor, before, { ...before, ...roles }, facts)
      return { problem: isPossible ? undefined : problem }
    },
  })
}

const ROLES = ['is_admin', 'is_super_admin', 'is_auditor']
