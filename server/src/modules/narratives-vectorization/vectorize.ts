import { sql } from 'kysely'
import type { Embeddings } from '../../adapters/embeddings/embeddings.ts'
import { EmbeddingsError } from '../../adapters/embeddings/openai.ts'
import { databaseFailure } from '../../db/errors.ts'
import { changesOf, end, MAX_ATTEMPTS, type Queue } from '../../db/leases.ts'
import { asSystem, type SystemDb } from '../../db/open.ts'
import { type Control, createRunner, type Failure, UNEXPECTED } from '../../jobs/runner.ts'
import { type RunRow, vectorizeBatch } from './batch.ts'

const RETRY_FOR_MS = 300_000

const RUNS: Queue = {
  table: 'vectorization_runs',
  isOpen: sql`runner = 'server' and status in ('queued', 'running')`,
  order: sql`id`,
  ...changesOf('status'),
}

/** Carries out queued runs. One whose server died resumes after its last committed batch, which resets its attempts. */
export function createVectorizing(db: SystemDb, embeddings: Embeddings) {
  return createRunner<RunRow>(db, {
    queue: RUNS,
    run,
    failureOf,
    crashed: `The server stopped ${MAX_ATTEMPTS} times while vectorizing the same stories. Its log has the details.`,
  })

  async function run(claimed: RunRow, { signal }: Control) {
    let run = claimed
    for (;;) {
      const batch = await vectorizeBatch(db, asSystem(db), embeddings, run, { retryForMs: RETRY_FOR_MS, signal })
      run = batch.run
      if (batch.is_finished) return end(db, RUNS, run, 'success', null)
      signal.throwIfAborted()
    }
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof EmbeddingsError) return { outcome: 'failed', reason: error.message, isUnexpected: false }
  return { outcome: databaseFailure(error) ? 'postponed' : 'failed', reason: UNEXPECTED, isUnexpected: true }
}
