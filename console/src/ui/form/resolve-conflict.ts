import type { ApiError } from '../../api/call.ts'
import type { Version } from '../../api/if-match.ts'
import { askClashes } from '../dialog/clashes.tsx'
import type { AuthorOf, Conflict } from './conflict.ts'
import { at, merge, type Path, type Versions, withValues } from './merge.ts'

const NAMED = 6
const list = new Intl.ListFormat('en', { type: 'conjunction' })

type Question<Values> = {
  conflict: Conflict<Values>
  /** The rejection: it says who changed the record last. */
  error: ApiError
  base: { values: Values; version: Version }
  mine: Values
  /** The values as they would be sent. */
  sentOf: (values: Values) => Promise<unknown>
}

type Resolved<Values> = {
  /** The values to save. */
  values: Values
  theirs: { values: Values; version: Version }
  /** Says what was taken from them; empty if that is nothing. */
  note: string
}

/** Merges my values with what was saved meanwhile. Asks about clashes only. Undefined if the user cancels. */
export async function resolveConflict<Values extends object>({
  conflict,
  error,
  base,
  mine,
  sentOf,
}: Question<Values>): Promise<Resolved<Values> | undefined> {
  const [theirs, texts, authorOf] = await Promise.all([
    conflict.load(),
    conflict.texts(),
    conflict.authors(base.version).catch((): AuthorOf => () => undefined),
  ])
  const versions = { base: base.values, mine, theirs: theirs.values }
  const sent: Versions<unknown> = {
    base: await sentOf(versions.base),
    mine: await sentOf(mine),
    theirs: await sentOf(versions.theirs),
  }
  const { values, taken, clashes } = merge(versions, sent)
  const labelOf = (path: Path) => texts.labelOf(path.join('.'))
  const show = (path: Path, version: unknown) => texts.showValue(path.join('.'), at(version, path), conflict.nameOf)
  const note = noteOf(taken, labelOf, authorOf)
  if (clashes.length === 0) return { values, theirs, note }

  const answers = await askClashes({
    kind: conflict.kind,
    lastChange: error.text,
    note,
    clashes: clashes.map((path) => ({
      label: labelOf(path),
      author: authorOf(path),
      mine: show(path, sent.mine),
      theirs: show(path, sent.theirs),
    })),
  })
  if (!answers) return undefined
  const given = clashes.filter((_, index) => answers[index] === 'theirs')
  return { values: withValues(values, theirs.values, given), theirs, note }
}

/** 'Vera Moroz changed Status and AI quota limit in the meantime. These changes are kept.' */
function noteOf(taken: Path[], labelOf: (path: Path) => string, authorOf: AuthorOf) {
  if (taken.length === 0) return ''
  const labels = taken.map(labelOf)
  const named = labels.length > NAMED ? [...labels.slice(0, NAMED - 1), `${labels.length - NAMED + 1} more`] : labels
  const names = new Set(taken.map((path) => authorOf(path)?.name ?? 'someone else'))
  const who = list.format(names)
  const kept = taken.length === 1 ? 'This change is kept.' : 'These changes are kept.'
  return `${who[0]?.toUpperCase()}${who.slice(1)} changed ${list.format(named)} in the meantime. ${kept}`
}
