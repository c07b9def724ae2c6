import pg from 'pg'

/** Starts a statement whose best plan depends on its values, such as a search: it is planned each time. */
export const UNNAMED = '/* unnamed */'

/** Each connection keeps the plans of named statements in memory, so later texts get no name. */
const MAX_NAMES = 300

let names = new Map<string, string>()
let generation = 0

function nameOf(text: string) {
  const known = names.get(text)
  if (known || names.size === MAX_NAMES || text.startsWith(UNNAMED)) return known
  const name = `${generation}_${names.size}`
  names.set(text, name)
  return name
}

/**
 * Names every statement that has values, so that PostgreSQL parses and plans it once per connection: for short
 * statements, that takes longer than running them. See docs/decisions/0026-fewer-round-trips.md.
 */
export class NamedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // Statements get new names, under which they are prepared again.
    Reflect.get(this, 'connection').on('errorMessage', (error: unknown) => {
      if (!isOutdated(error)) return
      generation += 1
      names = new Map()
    })
  }

  override query(...args: unknown[]) {
    const [first, second, ...rest] = args
    const query = typeof first === 'string' ? { text: first, values: second } : Object(first)
    const name = !('submit' in query) && Array.isArray(query.values) && query.values.length > 0 && nameOf(query.text)
    if (!name) return Reflect.apply(super.query, this, args)
    const callback = [second, ...rest].find((argument) => typeof argument === 'function')
    return Reflect.apply(super.query, this, [{ ...query, name }, callback])
  }
}

/** Whether a statement failed because a migration has changed its columns since it was prepared. */
export function isOutdated(error: unknown) {
  return Reflect.get(Object(error), 'routine') === 'RevalidateCachedQuery'
}
