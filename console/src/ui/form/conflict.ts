import type { RecordKind } from '@watchdesk/contract/records'
import type { Version } from '../../api/if-match.ts'
import type { FieldTexts, NameOf } from '../display/plain-value.ts'
import type { Path } from './merge.ts'

/** Who saved a change, and when. */
export type Author = { name: string; at: string }

/** Who changed a field last. Undefined if that is not known. */
export type AuthorOf = (path: Path) => Author | undefined

export type EditedRecord = { entity: RecordKind; id?: number }

/** What the events say about a record. Other backends may have none. */
type History = {
  loadAuthors: (record: EditedRecord, since: Version) => Promise<AuthorOf>
  /** Undefined if it is not deleted. */
  loadDeletion: (record: EditedRecord) => Promise<Author | undefined>
}

/** How an edit form resolves a conflict with someone else's edit. */
export type Conflict<Values> = {
  record: EditedRecord
  /** Fetches the current values, bypassing the cache. */
  load: () => Promise<{ values: Values; version: Version }>
  /** Loads the labels of the fields: `() => import('./shared/labels.ts')`. */
  texts: () => Promise<FieldTexts>
  nameOf?: NameOf
  history: () => Promise<History>
  /**
   * A field that cannot be loaded, so that only the events show whether someone changed it, and the fields of the form to
   * reset in order to keep theirs.
   */
  secret?: { field: string; resets: Extract<keyof Values, string>[] }
}
