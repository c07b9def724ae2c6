import type { Pool, PoolClient } from 'pg'
import { StartError } from '../env.ts'
import { FUNCTIONS, RIGHTS } from './tables.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

type Place = { role: string; database: string; schema: string | null }

/** Migrations change tables, so they need their owner. */
export async function requireSchemaRights(pool: Pool, pending: string[]) {
  const place = await placeOf(pool)
  const missing = [...(await missingOnDatabase(pool, place)), ...(await missingOnSchema(pool, place))]
  if (missing.length === 0) return
  const what = pending.length === 1 ? `the migration ${pending[0]}` : `${pending.length} migrations`
  throw new StartError(
    `The database needs ${what}, and the role "${place.role}" lacks ${missing.join(', ')}: run "npm run migrate" with ` +
      'the DATABASE_URL of the role that owns the schema (see docs/operations.md)',
  )
}

/**
 * The rights that the server needs: its role does not need to be able to change tables. Checks the role of the
 * connection on the tables it finds, or another role on the tables of a schema.
 */
export async function requireRowRights(pool: Pool | PoolClient, other?: { role: string; schema: string }) {
  const place = await placeOf(pool)
  const { role, schema } = other ?? place
  const { rows } = await pool.query<{ name: string; rights: string[] }>(
    `select name, array_agg(upper(needed.right) order by position) as rights
    from unnest($1::text[], $2::text[]) with ordinality as needed(name, "right", position)
    where not has_table_privilege($3::name, to_regclass(concat(quote_ident($4) || '.', name)), needed.right)
    group by name order by name`,
    [...needed(), role, other?.schema],
  )
  const { rows: functions } = await pool.query<{ name: string }>(
    `select name from unnest($1::text[]) as name
    where not coalesce(has_function_privilege($2::name, to_regprocedure(concat(quote_ident($3) || '.', name)), 'execute'), true)`,
    [FUNCTIONS, role, other?.schema],
  )
  const { rows: around } = await pool.query<{ has_usage: boolean; has_temporary: boolean }>(
    `select has_schema_privilege($1::name, $2, 'usage') as has_usage,
      has_database_privilege($1::name, current_database(), 'temporary') as has_temporary`,
    [role, schema],
  )
  const missing = [
    ...rows.map(({ name, rights }) => `${rights.join(', ')} on the table ${name}`),
    ...functions.map(({ name }) => `EXECUTE on the function ${name}`),
    ...(around[0]?.has_usage ? [] : [`USAGE on the schema ${schema}`]),
    ...(around[0]?.has_temporary ? [] : [`TEMPORARY on the database ${place.database}`]),
  ]
  if (missing.length === 0) return
  const reason = other ? `, and the role "${place.role}" cannot grant this` : ''
  throw new StartError(
    `The role "${role}" lacks ${missing.join('; ')}${reason}: run "npm run migrate -- ${role}" with the DATABASE_URL ` +
      'of the role that owns the schema (see docs/operations.md)',
  )
}

export async function needRole(pool: Pool, role: string) {
  const { rows } = await pool.query('select from pg_roles where rolname = $1', [role])
  if (rows.length > 0) return
  throw new StartError(`The database server has no role "${role}": create it first (see docs/operations.md)`)
}

/** Grants another role the rights that the server needs. */
export async function grantRowRights(pool: Pool, role: string) {
  const { database } = await placeOf(pool)
  const schema = await schemaOfTables(pool)
  const to = quote(role)
  const grants = [
    `grant usage on schema ${quote(schema)} to ${to}`,
    `grant temporary on database ${quote(database)} to ${to}`,
    ...Object.entries(RIGHTS).map(
      ([table, rights]) => `grant ${rights.join(', ')} on table ${quote(schema)}.${table} to ${to}`,
    ),
    ...FUNCTIONS.map((name) => `grant execute on function ${quote(schema)}.${name} to ${to}`),
  ]
  // PostgreSQL only warns about some rights that it does not grant, so the check afterwards decides.
  for (const grant of grants) {
    await pool.query(grant).catch((error) => {
      if (error.code !== INSUFFICIENT_PRIVILEGE) throw error
    })
  }
  await requireRowRights(pool, { role, schema })
}

/** Where the migrations ran. The schema named after this role comes last: other roles do not search it by default. */
async function schemaOfTables(pool: Pool) {
  const { rows } = await pool.query<{ name: string }>(
    `select nspname::text as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relname = 'schema_migrations' and nspname = any(current_schemas(false))
    order by nspname = current_user, array_position(current_schemas(false), nspname) limit 1`,
  )
  return rows[0]?.name ?? 'public'
}

async function placeOf(pool: Pool | PoolClient) {
  const { rows } = await pool.query<Place>(
    'select current_user::text as role, current_database()::text as database, current_schema()::text as schema',
  )
  return rows[0] as Place
}

async function missingOnDatabase(pool: Pool, { database }: Place) {
  const { rows } = await pool.query(
    `select where not has_database_privilege(current_database(), 'create')
      and not exists (select from pg_extension where extname = 'pg_trgm')`,
  )
  return rows.length > 0 ? [`CREATE on the database ${database} (for the extension pg_trgm)`] : []
}

async function missingOnSchema(pool: Pool, { schema }: Place) {
  if (schema === null) return ['USAGE and CREATE on the schema public']
  const { rows: foreign } = await pool.query<{ name: string; may_create: boolean; foreign_tables: string | null }>(
    `select has_schema_privilege($1, 'create') as may_create,
      (select string_agg(relname, ', ' order by relname) from pg_class
        where oid in (to_regclass('schema_migrations'), to_regclass('users')) and not pg_has_role(relowner, 'usage')
      ) as foreign_tables`,
    [schema],
  )
  return [
    ...(foreign[0]?.may_create ? [] : [`CREATE on the schema ${schema}`]),
    ...(foreign[0]?.foreign_tables
      ? [`ownership of the tables (${foreign[0].foreign_tables} belong to another role)`]
      : []),
  ]
}

function needed() {
  const pairs = Object.entries(RIGHTS).flatMap(([table, rights]) => rights.map((right) => [table, right]))
  return [pairs.map(([table]) => table), pairs.map(([, right]) => right)]
}

function quote(name: string) {
  return `"${name.replaceAll('"', '""')}"`
}
