import type { Actor } from '../../actor.ts'
import { type Author, audit } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'

export type Account = { id: number; full_name: string; email: string; workspace_id: number }

export type Owner = Account & { ip: string }

export function ownerOf({ id, name, email, workspace_id, ip }: Actor): Owner {
  return { id, full_name: name, email, workspace_id, ip }
}

type Event = Parameters<typeof audit>[2]
type AccountEvent = Pick<Event, 'action' | 'entity' | 'changes'> & { version?: number }

export function auditAccount(trx: Trx, author: Author, user: Account, { version, ...event }: AccountEvent) {
  const record = { name: user.full_name, detail: user.email, workspace_id: user.workspace_id, version }
  return audit(trx, author, { ...event, entity_id: user.id, record })
}

export function auditOwn(trx: Trx, owner: Owner, event: AccountEvent) {
  return auditAccount(trx, { id: owner.id, name: owner.full_name, ip: owner.ip }, owner, event)
}
