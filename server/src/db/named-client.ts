import pg from 'pg'

/** Starts a statement whose best plan depends on its values, such as a search: it is planned each time. */
export const UNNAMED = '/* unnamed */'

/**
 * Each connection keeps the plans of named statements in memory, so later texts get no name. Pass a list of values as
 * one array, so that its length does not change the text.
 */
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
    const connection: Connection = Reflect.get(this as object, 'connection')
    // Statements get new names, under which they are prepared again.
    connection.on('errorMessage', (error: unknown) => {
      if (!isOutdated(error)) return
      generation += 1
      names = new Map()
    })
    describeOnce(connection)
    disconnectOnBadValue(connection)
  }

  override query(first: unknown, second?: unknown, third?: unknown) {
    const config: Config = Object(typeof first === 'string' ? { text: first } : first)
    if (config.submit || config.rowMode || config.types || config.name) {
      return Reflect.apply(super.query, this, [first, second, third])
    }
    const { text, values = Array.isArray(second) ? second : [], query_timeout } = config
    const callback = [second, third].find((argument) => typeof argument === 'function')
    if (callback) return this.#send({ text, values, query_timeout }, callback as Callback)
    const result = new Promise((resolve, reject) => {
      this.#send({ text, values, query_timeout }, (error, result) => (error ? reject(error) : resolve(result)))
    })
    return result.catch((error) => {
      // Replaces the trace of the socket by that of the caller, as pg does.
      Error.captureStackTrace(error)
      throw error
    })
  }

  #send(
    statement: Required<Pick<Config, 'text' | 'values'>> & Pick<Config, 'query_timeout'>,
    callback: Callback,
    isRetry = false,
  ) {
    const { text, values, query_timeout } = statement
    const name = values.length > 0 && nameOf(text)
    const query = name ? new NamedQuery(text, values, name) : new PlainQuery(text, values)
    query.query_timeout = query_timeout
    query.callback = (error, result) => {
      // Not in a transaction, all of which has to be repeated.
      const isRepeated = isOutdated(error) && !isRetry && Reflect.get(this, '_txStatus') === 'I'
      if (isRepeated) this.#send(statement, callback, true)
      else callback(error, result)
    }
    Reflect.apply(super.query, this, [query])
  }
}

type Config = {
  text: string
  values?: unknown[]
  query_timeout?: number
  /** A COPY, or options that are left to pg. */
  submit?: unknown
  rowMode?: unknown
  types?: unknown
  name?: unknown
}
type Callback = (error: unknown, result?: unknown) => void

/** How the rows of a statement are read. */
type Columns = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown }

/** What the types of pg leave out. */
type Connection = pg.Connection & {
  describe(message: object): void
  close(message: object): void
  columns: Map<string, Columns>
  isDescribed: boolean
}
const PlainQuery = pg.Query as unknown as new (
  text: string,
  values?: unknown[],
) => {
  name: string | undefined
  query_timeout: number | undefined
  callback: Callback
  _result: Columns
  _accumulateRows: boolean
  prepare(connection: Connection): void
  handleRowDescription(message: object): void
}

/**
 * A statement that asks for its columns only once per connection, because PostgreSQL fails rather than return other
 * columns for the same name. Sending and reading them takes as long as a row.
 */
class NamedQuery extends PlainQuery {
  #connection: Connection | undefined
  override readonly name: string

  constructor(text: string, values: unknown[], name: string) {
    super(text, values)
    this.name = name
  }

  override prepare(connection: Connection) {
    this.#connection = connection
    const known = connection.columns.get(this.name)
    if (known) {
      Object.assign(this._result, known)
      this._accumulateRows = true
    }
    connection.isDescribed = known !== undefined
    super.prepare(connection)
    connection.isDescribed = false
  }

  override handleRowDescription(message: object) {
    super.handleRowDescription(message)
    // Without the rows, which would stay in memory with the connection.
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#connection?.columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

function describeOnce(connection: Connection) {
  const describe = connection.describe.bind(connection)
  connection.columns = new Map()
  connection.isDescribed = false
  connection.describe = (message) => {
    if (!connection.isDescribed) describe(message)
  }
}

/**
 * If a value cannot be sent, pg closes the statement and goes on, although it still counts as prepared, and a `commit`
 * may be waiting behind it. Without the connection, PostgreSQL rolls back, and the pool opens another one.
 */
function disconnectOnBadValue(connection: Connection) {
  connection.close = () => connection.stream.destroy()
}

/** Whether a statement failed because a migration has changed its columns since it was prepared. */
export function isOutdated(error: unknown) {
  return Reflect.get(Object(error), 'routine') === 'RevalidateCachedQuery'
}
