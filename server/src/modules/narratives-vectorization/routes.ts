import * as api from '@watchdesk/contract/narratives-vectorization'
import type { App, Deps } from '../../deps.ts'
import { found } from '../../problem.ts'
import { similarStories } from './similar.ts'
import { runsStore } from './store.ts'

export function narrativesVectorizationRoutes(app: App, { db, pool, embeddings, vectorizing }: Deps) {
  const runs = runsStore(db, embeddings, 'server')
  const similar = similarStories(db, pool, embeddings)

  app.route({
    ...api.vectorizeNarrative,
    handler: async ({ actor, body, headers }) => {
      const run = await runs.create(actor, body, headers['idempotency-key'])
      vectorizing.wake()
      return run
    },
  })
  app.route({ ...api.listRuns, handler: ({ query }) => runs.list(query) })
  app.route({
    ...api.vectorizationStatus,
    handler: async ({ params }) => found(await runs.get(params.execution_date), 'Vectorization run'),
  })
  app.route({
    ...api.similarStories,
    handler: ({ actor, params, query }) => similar.find(actor, params.id, query),
  })
}
