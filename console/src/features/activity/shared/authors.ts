import { type AuditEntity, type AuditEvent, listAuditEvents } from '@watchdesk/contract/audit'
import { EVENTS_AT_ONCE } from '@watchdesk/contract/limits'
import { call } from '../../../api/call.ts'
import type { Version } from '../../../api/if-match.ts'
import type { AuthorOf } from '../../../ui/form/conflict.ts'
import { at, isSame } from '../../../ui/form/merge.ts'

/** A merge does not wait longer for names. */
const TIMEOUT_MS = 5_000

type Change = Pick<AuditEvent, 'actor' | 'at' | 'version' | 'changes'>

/** Who changed which field of a record since a version. */
export async function loadAuthors(entity: AuditEntity, entity_id: number | undefined, since: Version) {
  const { objects } = await call(listAuditEvents, {
    query: { entity, entity_id, changes_only: 'true', page_size: EVENTS_AT_ONCE },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return authorsIn(objects, versionNumber(since))
}

/** The events are in order, newest first. */
export function authorsIn(events: Change[], since: number): AuthorOf {
  const newer = events.filter(({ version }) => version !== null && version > since)
  return ([field = '', ...path]) => {
    const last = newer.find(({ changes }) => {
      const change = changes[field]
      // The list cuts long values: whether they differ shows only in the fields of a small object.
      return change && (path.length === 0 || !isSame(at(change.before, path), at(change.after, path)))
    })
    return last && { name: last.actor?.name ?? 'the system', at: last.at }
  }
}

/** An ETag is the version in quotes. */
function versionNumber(version: Version) {
  return typeof version === 'string' ? Number(version.replaceAll('"', '')) : (version ?? 0)
}
