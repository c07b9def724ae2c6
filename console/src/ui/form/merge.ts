/** The path of a field in the values of a form: `['ai_quota', 'limit']`. Not a text, because keys may contain dots. */
export type Path = string[]

/** The values that I started with, my values, and those that someone else has saved meanwhile. */
export type Versions<Values> = { base: Values; mine: Values; theirs: Values }

export type Merge<Values> = {
  /** My values, with theirs for the fields that only they changed. */
  values: Values
  /** The fields that only they changed. */
  taken: Path[]
  /** The fields that we both changed, to different values. */
  clashes: Path[]
}

/**
 * Merges two edits of a record by field. Fields are compared as `sent` to the server, because the form keeps some as they
 * were typed. A list is one field.
 */
export function merge<Values extends object>(versions: Versions<Values>, sent: Versions<unknown>): Merge<Values> {
  const changed = pathsOf(versions).filter((path) => !isSame(at(sent.base, path), at(sent.theirs, path)))
  const both = changed.filter((path) => !isSame(at(sent.base, path), at(sent.mine, path)))
  const taken = changed.filter((path) => !both.includes(path))
  return {
    values: withValues(versions.mine, versions.theirs, taken),
    taken,
    clashes: both.filter((path) => !isSame(at(sent.mine, path), at(sent.theirs, path))),
  }
}

/** The values, with those of `others` in the given fields. */
export function withValues<Values extends object>(values: Values, others: Values, paths: Path[]): Values {
  return paths.reduce((merged, path) => set(merged, path, at(others, path)) as Values, values)
}

export function at(values: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => Object(value)[key], values)
}

function set(values: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  return { ...Object(values), [key]: set(Object(values)[key], rest, value) }
}

/** All fields, so that none can be forgotten. Only what is an object in all versions has fields of its own. */
function pathsOf({ base, mine, theirs }: Versions<unknown>): Path[] {
  const all = [base, mine, theirs]
  const keys = new Set(all.flatMap((values) => Object.keys(Object(values))))
  return [...keys].flatMap((key) => {
    const inner = { base: Object(base)[key], mine: Object(mine)[key], theirs: Object(theirs)[key] }
    return Object.values(inner).every(isFields) ? pathsOf(inner).map((path) => [key, ...path]) : [[key]]
  })
}

function isFields(value: unknown) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As JSON, but regardless of the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one ?? null, other ?? null)) return true
  if (Array.isArray(one) !== Array.isArray(other) || typeof one !== 'object' || typeof other !== 'object') return false
  if (!one || !other) return false
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].every((key) => isSame(Object(one)[key], Object(other)[key]))
}
