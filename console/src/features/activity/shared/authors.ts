import { type AuditEvent, listAuditEvents } from '@watchdesk/contract/activity'
import { EVENTS_AT_ONCE } from '@watchdesk/contract/limits'
import { call } from '../../../api/call.ts'
import type { Version } from '../../../api/if-match.ts'
import type { Author, AuthorOf, EditedRecord } from '../../../ui/form/conflict.ts'
import { at, isSame } from '../../../ui/form/merge.ts'

/** Nobody waits longer for a name. */
const TIMEOUT_MS = 5_000

type Change = Pick<AuditEvent, 'actor' | 'at' | 'version' | 'changes'>

/** Who changed which field of a record since a version. */
export async function loadAuthors(record: EditedRecord, since: Version) {
  return authorsIn(await loadEvents(record, EVENTS_AT_ONCE), versionNumber(since))
}

/** Who deleted a record; undefined if it is not deleted. */
export async function loadDeletion(record: EditedRecord) {
  const [last] = await loadEvents(record, 1)
  return last?.action === 'delete' ? authorOf(last) : undefined
}

/** The last events that changed the record, newest first. */
async function loadEvents({ entity, id }: EditedRecord, page_size: number) {
  const { objects } = await call(listAuditEvents, {
    query: { entity, entity_id: id, changes_only: 'true', page_size },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return objects
}

function authorOf({ actor, at }: Change): Author {
  return { name: actor?.name ?? 'the system', at }
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
    return last && authorOf(last)
  }
}

/** An ETag is the version in quotes. */
function versionNumber(version: Version) {
  return typeof version === 'string' ? Number(version.replaceAll('"', '')) : (version ?? 0)
}
