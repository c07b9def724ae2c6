import { randomUUID } from 'node:crypto'
import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { Operation } from '@watchdesk/contract/operations/operations'
import type { SourcesChanged } from '@watchdesk/contract/sources'
import { afterEach, beforeEach } from 'vitest'
import { createDeps } from '../../src/create-deps.ts'
import type { Runner } from '../../src/jobs/runner.ts'
import { prepareDeps } from '../../src/prepare-deps.ts'
import { holdSources } from './locks.ts'
import { useWatchdesk } from './watchdesk.ts'

export const MANY = ROWS_IN_A_CALL + 1
export const POLAND = { action: 'set_country', country: 'PL' }
export const REMOVE = { action: 'remove' }

/** For each test, an import of just too many sources for a call. */
export function useManySources() {
  const watchdesk = useWatchdesk()
  let server: Runner | undefined
  /** The import, and its name. */
  const made = { id: 0, name: '' }

  beforeEach(async () => {
    made.name = `s${randomUUID().slice(0, 8)}`
    const { rows } = await watchdesk.database.pool.query(
      `insert into operations (kind, state, name, counts) values ('source_import', 'done', $1, $2) returning id`,
      [`${made.name}.csv`, { requested: MANY }],
    )
    made.id = rows[0].id
    // As unlucky as can be: the table is analyzed before the import is saved, so PostgreSQL takes it for empty afterwards.
    const client = await watchdesk.database.pool.connect()
    await client.query('begin')
    await client.query(
      `insert into sources (platform, url, country, import_id)
       select 'TELEGRAM', 'https://t.me/' || $1::text || '_' || n, 'UA', $2 from generate_series(1, $3::int) n`,
      [made.name, made.id, MANY],
    )
    await watchdesk.database.pool.query('analyze sources')
    await client.query('commit')
    client.release()
  })
  afterEach(async () => {
    await server?.stop()
    server = undefined
    await watchdesk.database.pool.query('truncate sources, operation_changes')
  })

  /** Runner wait until a server is there. */
  async function start() {
    const { deps } = await createDeps(await prepareDeps(watchdesk.deps.env), watchdesk.database)
    deps.jobs.start(() => {})
    server = deps.jobs
  }

  const undo = (id: number, changed: 'leave' | 'all' | number[] = 'leave', call = watchdesk.admin, key?: string) =>
    call<Operation>('POST', `/api/v1/imports/${id}/undo`, { changed }, key ? { 'idempotency-key': key } : {})
  const read = async (id: number) => (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${id}`)).body
  const change = (given: object, call = watchdesk.admin, key?: string) =>
    call<SourcesChanged>(
      'POST',
      '/api/v1/sources/change',
      { filter: { search: `${made.name}_` }, expected_count: MANY, ...given },
      key ? { 'idempotency-key': key } : {},
    )

  /** How many sources of this test there are, by country. */
  async function live() {
    const { rows } = await watchdesk.database.pool.query(
      `select coalesce(json_object_agg(country, count), '{}') as counts from (
         select country, count(*) from sources where deleted_at is null and url like $1 group by 1) as found`,
      [`%${made.name}%`],
    )
    return rows[0].counts
  }

  async function eventsOf(import_id: number | null) {
    const { rows } = await watchdesk.database.pool.query(
      `select action, entity, actor_id, ip is not null as has_ip, record_name, changes from audit_events
       where entity_id = $1 and entity in ('sources', 'stories') order by id`,
      [import_id],
    )
    return rows
  }

  const hold = () => holdSources(watchdesk.database.pool, 'share row exclusive')

  async function cancel(job_id: number | null) {
    await watchdesk.admin('POST', `/api/v1/jobs/${job_id}/cancel`)
  }

  const stop = async () => server?.stop()

  return { watchdesk, made, start, stop, undo, read, change, live, eventsOf, hold, cancel }
}
