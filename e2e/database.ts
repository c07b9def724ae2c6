import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Watchdesk } from './watchdesk.ts'

type Client = {
  connect: () => Promise<void>
  query: (sql: string, values: unknown[]) => Promise<unknown>
  end: () => Promise<void>
}

/** Runs a statement in the database of the server, for more rows than the API creates in a test. */
export async function runSql({ data }: Pick<Watchdesk, 'data'>, sql: string, values: unknown[] = []) {
  const [, , , port, host] = (await readFile(join(data, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  const pg = createRequire(new URL('../server/package.json', import.meta.url))('pg')
  const client: Client = new pg.Client({ host, port: Number(port), user: 'watchdesk', database: 'postgres' })
  await client.connect()
  try {
    await client.query(sql, values)
  } finally {
    await client.end()
  }
}
