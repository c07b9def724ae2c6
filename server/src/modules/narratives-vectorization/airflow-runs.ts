import { sql, type UpdateObject } from 'kysely'
import type { Airflow } from '../../adapters/airflow/airflow.ts'
import { AirflowError } from '../../adapters/airflow/error.ts'
import type { Embeddings } from '../../adapters/embeddings/embeddings.ts'
import { LeaseLost } from '../../db/leases.ts'
import type { Db, InTransaction } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import { conflict, found } from '../../problem.ts'
import { type RunRow, vectorizeBatch } from './batch.ts'

/** How long a trigger may still be in transit to Airflow. */
const ON_ITS_WAY_MS = 60_000

/** Runs executed by Airflow. The database holds the status that Airflow last reported. */
export function airflowRuns(inTransaction: InTransaction, airflow: Airflow) {
  return { start, refresh }

  /** Safe to repeat: the DAG run id is fixed, so Airflow starts the run once. */
  async function start(run: RunRow) {
    const isAccepted = run.attempts > 0 || run.started_at !== null
    if (run.runner !== 'airflow' || isAccepted) return
    const { id, narrative_id, platforms, content_types, model } = run
    const { dag_run_id, logical_date } = named(run)
    const conf = { narrative_id, platforms, content_types, model, execution_date: logical_date }
    try {
      const { note = null } = await airflow.trigger({ dag_run_id, logical_date, conf })
      await set(id, { attempts: 1, status: 'queued', error: note, finished_at: null })
    } catch (error) {
      // A trigger that may have reached Airflow is not marked as failed: the next poll shows whether the run started.
      if (error instanceof AirflowError)
        await set(id, {
          error: error.message,
          ...(!error.mayHaveStarted && { status: 'failed', finished_at: sql<Date>`now()` }),
        })
      throw error
    }
  }

  async function refresh(run: RunRow): Promise<RunRow> {
    if (run.runner !== 'airflow' || !['queued', 'running'].includes(run.status)) return run
    const { dag_run_id, logical_date } = named(run)
    try {
      const { state, note = null } = await airflow.status(dag_run_id, logical_date)
      const changes = {
        status: state,
        error: note,
        attempts: 1,
        ...(state !== 'queued' && { started_at: sql<Date>`coalesce(started_at, now())` }),
        ...((state === 'success' || state === 'failed') && { finished_at: sql<Date>`now()` }),
      }
      return (await set(run.id, changes)) ?? run
    } catch (error) {
      if (!(error instanceof AirflowError) || !error.isUnknownRun) throw error
      if (run.attempts === 0 && Date.now() - run.created_at.getTime() < ON_ITS_WAY_MS) return run
      const lost = { status: 'failed', error: run.error ?? error.message, finished_at: sql<Date>`now()` } as const
      return (await set(run.id, lost)) ?? run
    }
  }

  /** A successful run stays successful; a failed run can still be updated. */
  function set(id: number, changes: UpdateObject<Tables, 'vectorization_runs'>) {
    return inTransaction((trx) =>
      trx
        .updateTable('vectorization_runs')
        .set(changes)
        .where('id', '=', id)
        .where('status', '!=', 'success')
        .returningAll()
        .executeTakeFirst(),
    )
  }
}

function named({ execution_date }: Pick<RunRow, 'execution_date'>) {
  const logical_date = execution_date.toISOString()
  return { dag_run_id: `manual__${logical_date}`, logical_date }
}

/** A DAG run that requests a batch is alive, even if its trigger timed out or somebody cleared its task. */
export async function nextBatch(db: Db, inTransaction: InTransaction, embeddings: Embeddings, run: RunRow) {
  if (run.runner !== 'airflow') throw conflict('This run is executed by the server, not by Airflow.')
  if (run.status === 'success') return progressOf(run, true)
  const alive = await inTransaction((trx) =>
    trx
      .updateTable('vectorization_runs')
      .set({ status: 'running', error: null, started_at: sql`coalesce(started_at, now())`, finished_at: null })
      .where('id', '=', run.id)
      .returning('id')
      .executeTakeFirst(),
  )
  found(alive, 'Vectorization run')
  try {
    const batch = await vectorizeBatch(db, inTransaction, embeddings, run)
    return progressOf(batch.run, batch.is_finished)
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    const row = db.selectFrom('vectorization_runs').selectAll().where('id', '=', run.id)
    return progressOf(await row.executeTakeFirstOrThrow(), false)
  }
}

function progressOf({ done_count, stories_count }: RunRow, is_finished: boolean) {
  return { done_count, stories_count: stories_count ?? done_count, is_finished }
}
