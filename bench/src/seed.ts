import type { Pool } from 'pg'
import { setting } from './settings.ts'

/** At least 10,000: see `inputs.ts`. */
export const USERS = setting('BENCH_USERS', 1_000_000, 10_000)

/** Users generated in SQL, a hundred in each workspace. Does nothing if they exist. */
export async function seed(pool: Pool, count: number) {
  const workspaces = count / 100
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const { rows } = await client.query<{ users: number }>(`select count(*)::int as users from users`)
    if ((rows[0]?.users ?? 0) >= count) return
    console.log(`Seeding ${workspaces} workspaces and ${count} users …`)
    await client.query(
      `insert into workspaces (name, description, status, analytical_quota, ai_quota, config)
      select 'Workspace ' || n, 'Seeded for the benchmark', 'PAID_CLIENT', quota, quota, config
      from generate_series(1, $1::int) n, (select analytical_quota as quota, config from workspaces order by id limit 1) first`,
      [workspaces],
    )
    await client.query(
      `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
      select 2 + n % $1::int, (array['Olena','Marcus','Iryna','Jonas','Amara','Taras','Sofia','Daniel'])[1 + n % 8],
        (array['Kovalenko','Reed','Shevchuk','Lindqvist','Okafor','Melnyk'])[1 + n % 6] || ' ' || n,
        'user' || n || '@' || md5(n::text) || '.example', 'no password', false, false, 'STANDARD', ''
      from generate_series(1, $2::int) n`,
      [workspaces, count],
    )
    await client.query('vacuum analyze')
  } finally {
    client.release(true)
  }
}
