import pg from 'pg'

/** Starts a statement whose best plan depends on its values, such as a search: it is planned each time. */
export const UNNAMED = '/* unnamed */'

/** Each connection keeps their plans in memory. Pass a list of values as one array, so that its text stays the same. */
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

type Callback = (error: unknown, result?: unknown) => void

/** PostgreSQL parses and plans a named statement once per connection: see docs/decisions/0026-fewer-round-trips.md. */
export class NamedClient extends pg.Client {
  override query(first: unknown, second?: unknown, third?: unknown) {
    const config: Partial<Statement> = Object(typeof first === 'string' ? { text: first, values: second } : first)
    if (!config.text || !Array.isArray(config.values) || config.values.length === 0) {
      return Reflect.apply(super.query, this, [first, second, third])
    }
    const statement = config as Statement
    const callback = [second, third].find((argument) => typeof argument === 'function')
    if (callback) return this.#send(statement, callback as Callback)
    return new Promise((resolve, reject) => {
      this.#send(statement, (error, result) => (error ? reject(error) : resolve(result)))
    })
  }

  #send(statement: Statement, callback: Callback) {
    const { text, values, query_timeout } = statement
    const config: Statement = { text, values, query_timeout, name: nameOf(text) }
    super.query(config, (error, result) => {
      if (!isOutdated(error)) return callback(error, result)
      // Statements get new names, under which they are prepared again.
      generation += 1
      names = new Map()
      // A transaction has to be repeated as a whole.
      if (this.getTransactionStatus() === 'I') this.#send(statement, callback)
      else callback(error)
    })
  }
}

type Statement = pg.QueryConfig<unknown[]> & { query_timeout?: number | undefined }

/** Whether a statement failed because a migration has changed its columns since it was prepared. */
export function isOutdated(error: unknown) {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery'
}
