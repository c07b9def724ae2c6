import * as api from '@watchdesk/contract/narratives-vectorization'
import type { App, Deps } from '../../deps.ts'
import { found } from '../../problem.ts'
import { airflowRuns, nextBatch } from './airflow-runs.ts'
import { similarStories } from './similar.ts'
import { runsStore } from './store.ts'

export function narrativesVectorizationRoutes(app: App, { db, pool, embeddings, vectorizing, airflow }: Deps) {
  const runs = runsStore(db, embeddings, airflow ? 'airflow' : 'server')
  const inAirflow = airflow && airflowRuns(db, airflow)
  const similar = similarStories(db, pool, embeddings)
  const get = async (execution_date: string) => found(await runs.get(execution_date), 'Vectorization run')

  app.route({
    ...api.vectorizeNarrative,
    handler: async ({ actor, body, headers }) => {
      const run = await runs.create(actor, body, headers['idempotency-key'])
      if (inAirflow) await inAirflow.start(run.execution_date)
      else vectorizing.wake()
      return run
    },
  })
  app.route({ ...api.listRuns, handler: ({ query }) => runs.list(query) })
  app.route({
    ...api.vectorizationStatus,
    handler: async ({ params }) => {
      const run = await get(params.execution_date)
      return inAirflow ? inAirflow.refresh(run) : run
    },
  })
  app.route({
    ...api.vectorizeBatch,
    handler: async ({ params }) => nextBatch(db, embeddings, await get(params.execution_date)),
  })
  app.route({
    ...api.similarStories,
    handler: ({ actor, params, query }) => similar.find(actor, params.id, query),
  })
}
