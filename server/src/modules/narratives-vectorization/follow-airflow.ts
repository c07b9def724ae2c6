import { sql } from 'kysely'
import type { Airflow } from '../../adapters/airflow/airflow.ts'
import { asSystem, type SystemDb } from '../../db/open.ts'
import { airflowRuns } from './airflow-runs.ts'

const RUNS_AT_ONCE = 100

export async function followAirflow(db: SystemDb, airflow: Airflow | undefined) {
  const runs = await db
    .selectFrom('vectorization_runs')
    .selectAll()
    .where('runner', '=', 'airflow')
    .where('status', 'in', ['queued', 'running'])
    .orderBy('id')
    .limit(RUNS_AT_ONCE)
    .execute()
  if (airflow) {
    const { refresh } = airflowRuns(asSystem(db), airflow)
    for (const run of runs) await refresh(run)
  } else if (runs.length > 0) {
    const error = 'Airflow carried out this run, but AIRFLOW_URL is no longer set, so its result is not known.'
    await db
      .updateTable('vectorization_runs')
      .set({ status: 'failed', error, finished_at: sql`now()` })
      .where(sql<boolean>`id = any(${runs.map(({ id }) => id)}::int[])`)
      .execute()
  }
}
