import * as contract from '@watchdesk/contract/narratives-vectorization'
import * as schemas from '@watchdesk/contract/narratives-vectorization.schema'
import type { Pool } from 'pg'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'
import { found } from '../../problem.ts'
import { airflowRuns, nextBatch } from './airflow-runs.ts'
import { similarStories } from './similar.ts'
import { runsStore } from './store.ts'

/** A connection of the pool compares stories. It ends when nobody waits for the result any more. */
export function narrativesVectorizationRoutes(app: App, deps: Deps, pool: Pool) {
  const { db, rights, embeddings, vectorizing, airflow } = deps
  const runs = runsStore(deps, airflow ? 'airflow' : 'server')
  const get = async (execution_date: string) => found(await runs.get(execution_date), 'Vectorization run')

  addRoutes(app, contract, schemas, {
    async vectorizeNarrative({ actor, body, headers }) {
      const run = await runs.create(actor, body, headers['idempotency-key'])
      if (!airflow) vectorizing.wake()
      else {
        await rights.check(actor)
        await airflowRuns((work) => rights.write(actor, work), airflow).start(await get(run.execution_date))
      }
      return run
    },
    listRuns: ({ query }) => runs.list(query),
    async vectorizationStatus({ actor, params }) {
      const run = await get(params.execution_date)
      // Reading it saves what Airflow reports, also for callers who change nothing themselves.
      const known = airflow && airflowRuns((work) => rights.record(actor, work), airflow)
      return known?.refresh(run) ?? run
    },
    vectorizeBatch: async ({ actor, params }) =>
      nextBatch(db, (work) => rights.write(actor, work), embeddings, await get(params.execution_date)),
    similarStories: ({ actor, params, query, signal }) => similarStories(deps, pool, actor, params.id, query, signal),
  })
}
