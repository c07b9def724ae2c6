import type { ClientBase, Pool } from 'pg'

const ABSENT =
  'The database server does not have the pgvector extension, so Watchdesk compares similar stories itself, which is slower. Install pgvector on that server for narratives of more than 100,000 stories.'
const NOT_ALLOWED =
  'The database server has the pgvector extension, but this role may not create it, so Watchdesk compares similar stories itself, which is slower. Run "create extension vector" in this database as a superuser. No restart is needed.'

/** The extension is optional: if it cannot be created, the result says what an operator can do. */
export async function preparePgvector(pool: Pool): Promise<string | undefined> {
  if (await hasPgvector(pool)) return undefined
  const { rowCount } = await pool.query(`select from pg_available_extensions where name = 'vector'`)
  if (rowCount === 0) return ABSENT
  // Replicas that start together may both try: one of them fails, and the extension exists.
  await pool.query('create extension if not exists vector').catch(() => {})
  return (await hasPgvector(pool)) ? undefined : NOT_ALLOWED
}

/** Checked for each comparison, because it is cheap and an operator may create the extension at any time. */
export async function hasPgvector(database: ClientBase | Pool) {
  const { rows } = await database.query<{ is_there: boolean }>(`select to_regtype('vector') is not null as is_there`)
  return rows[0]?.is_there ?? false
}
