import type { Version } from '../../api/if-match.ts'
import type { FieldTexts, NameOf } from '../display/plain-value.ts'
import type { Path } from './merge.ts'

/** Who saved a change, and when. */
export type Author = { name: string; at: string }

/** Who changed a field last. Undefined if that is not known. */
export type AuthorOf = (path: Path) => Author | undefined

/** How an edit form resolves a conflict with someone else's edit. */
export type Conflict<Values> = {
  /** What is edited: 'user'. */
  kind: string
  /** Fetches the current values, bypassing the cache. */
  load: () => Promise<{ values: Values; version: Version }>
  /** Loads the labels of the fields: `() => import('./shared/labels.ts')`. */
  texts: () => Promise<FieldTexts>
  nameOf?: NameOf
  /** Loads who changed the record since a version. Other backends may not know. */
  authors: (since: Version) => Promise<AuthorOf>
}
