import { ApiError } from '../../api/call.ts'
import type { Version } from '../../api/if-match.ts'
import { askClashes } from '../dialog/clashes.tsx'
import { toastError } from '../feedback/toast.tsx'
import type { AuthorOf, Conflict } from './conflict.ts'
import { type Schema, validate } from './field-errors.ts'
import { at, merge, type Path, withValues } from './merge.ts'

const NAMED = 6
const list = new Intl.ListFormat('en', { type: 'conjunction' })

type Edit<Values, Body> = {
  /** The rejection: it says who changed the record last. */
  error: ApiError
  base: { values: Values; version: Version }
  mine: Values
  schema: Schema<Body>
  body: (values: Values) => unknown
}

type Resolved<Values> = {
  /** The values to save. */
  values: Values
  theirs: { values: Values; version: Version }
  /** Says what was taken from them; empty if that is nothing. */
  note: string
}

/** Merges my values with what was saved meanwhile. Asks about clashes only. Undefined if the user cancels. */
export async function resolveConflict<Values extends object, Body>(
  conflict: Conflict<Values>,
  { error, base, mine, schema, body }: Edit<Values, Body>,
): Promise<Resolved<Values> | undefined> {
  const [theirs, texts, authorOf] = await Promise.all([
    conflict.load(),
    conflict.texts(),
    loadAuthors(conflict, base.version).catch((): AuthorOf => () => undefined),
  ])
  const versions = { base: base.values, mine, theirs: theirs.values }
  const [sentBase, sentMine, sentTheirs] = await Promise.all(Object.values(versions).map(sentOf))
  const sent = { base: sentBase, mine: sentMine, theirs: sentTheirs }
  const { values, taken, clashes } = merge(versions, sent)
  const labelOf = (path: Path) => texts.labelOf(path.join('.'))
  const show = (path: Path, version: unknown) => texts.showValue(path.join('.'), at(version, path), conflict.nameOf)
  const questions = clashes.map((path) => ({
    label: labelOf(path),
    author: authorOf(path),
    mine: show(path, sent.mine),
    theirs: show(path, sent.theirs),
    /** What to take if they win. */
    paths: [path],
  }))
  const { field = '', resets = [] } = conflict.secret ?? {}
  const author = at(sent.mine, [field]) === undefined ? undefined : authorOf([field])
  if (author) {
    const paths = resets.map((name) => [name])
    questions.push({ label: labelOf([field]), author, mine: 'Your new one', theirs: 'Their new one', paths })
  }
  const note = noteOf(taken, labelOf, authorOf)
  if (questions.length === 0) return { values, theirs, note }

  const kind = kindOf(conflict)
  const answers = await askClashes({ kind, lastChange: error.text, note, clashes: questions })
  if (!answers) return undefined
  const lost = questions.filter((_, index) => answers[index] === 'theirs').flatMap(({ paths }) => paths)
  return { values: withValues(values, theirs.values, lost), theirs, note }

  /** As it would be sent: valid values without spaces at the ends, for example. */
  async function sentOf(version: Values) {
    const given = body(version)
    const checked = await validate(schema, given)
    return checked.errors ? given : checked.body
  }
}

async function loadAuthors<Values>({ history, record }: Conflict<Values>, since: Version) {
  return (await history()).loadAuthors(record, since)
}

/** Says who deleted the record, if the events tell, and where to find it. */
export async function explainMissing<Values>(conflict: Conflict<Values>, error: ApiError) {
  const { history, record } = conflict
  const deletion = await history()
    .then(({ loadDeletion }) => loadDeletion(record))
    .catch(() => undefined)
  if (!deletion) return toastError(error)
  const detail = `This ${kindOf(conflict)} was deleted by ${deletion.name} at ${deletion.at}.`
  toastError(new ApiError(error.status, { detail }, detail, {}), { label: 'Open the bin', to: '/bin' })
}

function kindOf<Values>({ record }: Conflict<Values>) {
  return record.entity.replace('_', ' ')
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
