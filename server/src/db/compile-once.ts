import { type Compilable, CompiledQuery, isExpression, type RawBuilder } from 'kysely'
import type { Trx } from './open.ts'

/**
 * A query that is built and compiled only the first time, because that takes longer than sending it. `build` gets
 * placeholders instead of the values, so it must not look at them: whatever changes the text belongs in the key.
 */
export type Shape<Values extends object, Query> = { key: string; values: Values; build(values: Values): Query }

type Compiled = Pick<CompiledQuery, 'sql' | 'parameters'>

class Placeholder {
  readonly path: string[]

  constructor(path: string[]) {
    this.path = path
  }
}

const compiled = new Map<string, Compiled>()
let isChecked = false

/** For tests: every query is built each time, and a key fails that lacks something that changes the text. */
export function checkKeys(isOn = true) {
  isChecked = isOn
}

export function compileOnce<Values extends object, Row>({
  key,
  values,
  build,
}: Shape<Values, Compilable<Row>>): Compiled {
  const known = compiled.get(key)
  const { sql, parameters } = known && !isChecked ? known : build(placeholders(values) as Values).compile()
  if (!known) compiled.set(key, { sql, parameters })
  else if (known.sql !== sql) throw new Error(`Two different queries have the key "${key}"`)
  return {
    sql,
    parameters: parameters.map((parameter) => (parameter instanceof Placeholder ? at(values, parameter) : parameter)),
  }
}

/** The rows of a query that is compiled once, in a transaction. */
export async function runOnce<Values extends object, Row>(
  trx: Trx,
  { key, values, build }: Shape<Values, Compilable<Row> | RawBuilder<Row>>,
): Promise<Row[]> {
  const { sql, parameters } = compileOnce({
    key,
    values,
    build: (placeholders) => ({ compile: () => build(placeholders).compile(trx) }),
  })
  const { rows } = await trx.executeQuery(CompiledQuery.raw(sql, [...parameters]))
  return rows as Row[]
}

function at(values: unknown, { path }: Placeholder) {
  let value = values
  for (const name of path) value = (value as Record<string, unknown>)[name]
  return value
}

/** Expressions are part of the text. */
function placeholders(value: unknown, path: string[] = []): unknown {
  if (isExpression(value)) return value
  if (Array.isArray(value) && value.some((item) => isRecord(item)))
    return value.map((item, at) => placeholders(item, [...path, String(at)]))
  if (!isRecord(value)) return new Placeholder(path)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, placeholders(part, [...path, name])]))
}

function isRecord(value: unknown): value is object {
  return value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
}
