import { sql } from 'kysely'
import type { Airflow } from '../../adapters/airflow/airflow.ts'
import { asSystem, type SystemDb } from '../../db/open.ts'
import { airflowRuns } from './airflow-runs.ts'

const RUNS_AT_ONCE = 100

/** Updates the status of unfinished Airflow runs, so that the list of runs is current. */
export async function followAirflow(db: SystemDb, airflow: Airflow | undefined) {
  const runs = await unfinished(db)
  if (!airflow) {
    const error = 'Airflow carried out this run, but AIRFLOW_URL is no longer set, so its result is not known.'
    const ids = runs.map(({ id }) => id)
    if (ids.length > 0) {
      await db
        .updateTable('vectorization_runs')
        .set({ status: 'failed', error, finished_at: sql`now()` })
        .where(sql<boolean>`id = any(${ids}::int[])`)
        .execute()
    }
    return
  }
  const { refresh } = airflowRuns(db, asSystem(db), airflow)
  for (const run of runs) await refresh(run)
}

function unfinished(db: SystemDb) {
  return db
    .selectFrom('vectorization_runs')
    .selectAll()
    .where('runner', '=', 'airflow')
    .where('status', 'in', ['queued', 'running'])
    .orderBy('id')
    .limit(RUNS_AT_ONCE)
    .execute()
}
