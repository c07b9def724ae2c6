import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Watchdesk } from './watchdesk.ts'

/**
 * A fingerprint of what is stored in these tables, each with the condition for the rows that count. Whatever is written
 * becomes new versions of rows, so their number and their transactions show it, and are read faster than the values. The
 * rows of a subquery have no versions: their values are compared.
 */
export async function fingerprint({ database }: Watchdesk, tables: Record<string, string>, values: number[] = []) {
  const digests = Object.entries(tables).map(([name, condition]) => {
    const digest = name.startsWith('(') ? 'hashtextextended(row::text, 0)' : 'row.xmin::text::bigint'
    return `select count(*), sum(${digest}) from ${name} as row where ${condition}`
  })
  const text = digests.join(' union all ')
  // Planned once per connection, which takes longer than running it.
  const name = createHash('md5').update(text).digest('hex')
  const { rows } = await database.pool.query({ name, text, values })
  return JSON.stringify(rows)
}

/** All tables but those whose rows say how often something was called. */
export async function tablesOf({ database }: Watchdesk, counters: string[]) {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all(${counters}) order by 1`.execute(
    database.db,
  )
  return Object.fromEntries(rows.map(({ name }) => [name, 'true']))
}
