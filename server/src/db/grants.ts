import pg, { type Pool, type PoolClient } from 'pg'
import { StartError } from '../env.ts'
import { FUNCTIONS, RIGHTS } from './tables.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

/** Migrations change tables, so they need their owner. */
export async function requireSchemaRights(pool: Pool, pending: string[]) {
  const { rows } = await pool.query<{ role: string; missing: string[] }>(
    `select current_user::text as role, array_remove(array[
      case when not has_database_privilege(current_database(), 'create')
          and not exists (select from pg_extension where extname = 'pg_trgm')
        then format('CREATE on the database %s (for the extension pg_trgm)', current_database()) end,
      case when current_schema() is null then 'USAGE and CREATE on the schema public'
        when not has_schema_privilege(current_schema(), 'create') then format('CREATE on the schema %s', current_schema()) end,
      (select format('ownership of the tables (%s belong to another role)', string_agg(relname, ', ' order by relname))
        from pg_class
        where oid in (to_regclass('schema_migrations'), to_regclass('users')) and not pg_has_role(relowner, 'usage')
        having count(*) > 0)
    ], null) as missing`,
  )
  const { role, missing } = rows[0] as (typeof rows)[number]
  if (missing.length === 0) return
  const what = pending.length === 1 ? `the migration ${pending[0]}` : `${pending.length} migrations`
  throw new StartError(
    `The database needs ${what}, and the role "${role}" lacks ${missing.join(', ')}: run "npm run migrate" with ` +
      'the DATABASE_URL of the role that owns the schema (see docs/operations.md)',
  )
}

/** Checks the role of the connection on the tables that it finds, or another role on the tables of a schema. */
export async function requireRowRights(pool: Pool | PoolClient, other?: { role: string; schema: string }) {
  const { rows } = await pool.query<{ own_role: string; role: string; missing: string[] }>(
    `select current_user::text as own_role, role, array(
        select string_agg(upper(needed.right), ', ' order by position) || ' on the table ' || name
        from jsonb_each($3) as tables(name, rights),
          jsonb_array_elements_text(rights) with ordinality as needed("right", position)
        where not has_table_privilege(role, to_regclass(prefix || name), needed.right)
        group by name order by name
      ) || array(
        select 'EXECUTE on the function ' || name from unnest($4::text[]) as name
        where not coalesce(has_function_privilege(role, to_regprocedure(prefix || name), 'execute'), true)
      ) || array_remove(array[
        case when not coalesce(has_schema_privilege(role, schema, 'usage'), false)
          then format('USAGE on the schema %s', coalesce(schema, 'null')) end,
        case when not has_database_privilege(role, current_database(), 'temporary')
          then format('TEMPORARY on the database %s', current_database()) end
      ], null) as missing
    from (select coalesce($1, current_user)::name as role, coalesce($2, current_schema())::text as schema,
      coalesce(quote_ident($2) || '.', '') as prefix) as checked`,
    [other?.role, other?.schema, JSON.stringify(RIGHTS), FUNCTIONS],
  )
  const { own_role, role, missing } = rows[0] as (typeof rows)[number]
  if (missing.length === 0) return
  const reason = other ? `, and the role "${own_role}" cannot grant this` : ''
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

export async function grantRowRights(pool: Pool, role: string) {
  // Where the migrations ran. The schema named after this role comes last: other roles do not search it by default.
  const { rows } = await pool.query<{ database: string; schema: string }>(
    `select current_database()::text as database, coalesce((
      select nspname::text from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relname = 'schema_migrations' and nspname = any(current_schemas(false))
      order by nspname = current_user, array_position(current_schemas(false), nspname) limit 1), 'public') as schema`,
  )
  const { database, schema } = rows[0] as (typeof rows)[number]
  const [to, within] = [pg.escapeIdentifier(role), pg.escapeIdentifier(schema)]
  const grants = [
    `grant usage on schema ${within} to ${to}`,
    `grant temporary on database ${pg.escapeIdentifier(database)} to ${to}`,
    ...Object.entries(RIGHTS).map(
      ([table, rights]) => `grant ${rights.join(', ')} on table ${within}.${table} to ${to}`,
    ),
    ...FUNCTIONS.map((name) => `grant execute on function ${within}.${name} to ${to}`),
  ]
  // PostgreSQL only warns about some rights that it does not grant, so the check afterwards decides.
  for (const grant of grants) {
    await pool.query(grant).catch((error) => {
      if (error.code !== INSUFFICIENT_PRIVILEGE) throw error
    })
  }
  await requireRowRights(pool, { role, schema })
}
