import { sql } from 'kysely'
import type { Watchdesk } from './watchdesk.ts'

/** A fingerprint of what is stored in these tables, each with the condition for the rows that count. */
export async function fingerprint({ database }: Watchdesk, tables: Record<string, string>, values: number[] = []) {
  const digests = Object.entries(tables).map(
    ([name, condition]) => `select sum(hashtextextended(row::text, 0)) from ${name} as row where ${condition}`,
  )
  // With a value, so that it is planned only once.
  const text = `${digests.join(' union all ')} union all select $${values.length + 1}::int`
  const { rows } = await database.pool.query(text, [...values, 0])
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
