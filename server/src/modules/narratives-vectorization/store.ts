import { type Run, type RunQuery, runList, type Vectorization } from '@watchdesk/contract/narratives-vectorization'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Embeddings } from '../../adapters/embeddings/embeddings.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { once } from '../../db/idempotency.ts'
import { isoTime } from '../../db/iso-time.ts'
import { listPage } from '../../db/list.ts'
import type { Db, Trx } from '../../db/open.ts'
import { websiteConfigValues, workspaceConfig } from '../../db/settings.ts'
import type { Deps } from '../../deps.ts'
import { conflict, found } from '../../problem.ts'
import { personReference } from '../operations/reference.ts'
import { conditionsOf } from './filter.ts'

type StoreDeps = Pick<Deps, 'db' | 'read' | 'rights' | 'embeddings'>

export function runsStore({ db, read, rights, embeddings }: StoreDeps, runner: Run['runner']) {
  return { list, get, create }

  function list(query: RunQuery) {
    return listPage(read, {
      table: 'vectorization_runs',
      options: runList,
      query,
      filters: conditionsOf(query),
      rows: (id) => selectRuns(db).where('vectorization_runs.id', '=', id),
    })
  }

  function get(execution_date: string) {
    return db
      .selectFrom('vectorization_runs')
      .selectAll()
      .where('execution_date', '=', new Date(execution_date))
      .executeTakeFirst()
  }

  function create(actor: Actor, body: Vectorization, key: string | undefined) {
    const call = { name: 'POST /api/v1/airflow/vectorize-narrative', key, request: JSON.stringify(body) }
    return rights.write(actor, (trx) =>
      once(trx, actor, call, async () => {
        found(await liveNarrative(trx, body.narrative_id).forShare().executeTakeFirst(), 'Narrative')
        const model = await modelFor(trx, embeddings, actor)
        const { id, execution_date } = await insert(trx, actor, { ...body, model })
        const changes = changesBetween({}, { ...body, model, runner, execution_date: execution_date.toISOString() })
        const record = { name: `Narrative ${body.narrative_id}` }
        await audit(trx, actor, { action: 'create', entity: 'vectorization', entity_id: id, record, changes })
        return { execution_date: execution_date.toISOString() }
      }),
    )
  }

  async function insert(trx: Trx, actor: Actor, body: Vectorization & { model: string }) {
    for (let time = Date.now(); ; time += 1) {
      const execution_date = new Date(time)
      const run = await trx
        .insertInto('vectorization_runs')
        .values({
          ...body,
          execution_date,
          runner,
          dag_run_id: runner === 'airflow' ? `manual__${execution_date.toISOString()}` : null,
          created_by: actor.id,
          created_by_name: actor.name,
        })
        .onConflict((taken) => taken.column('execution_date').doNothing())
        .returning(['id', 'execution_date'])
        .executeTakeFirst()
      if (run) return run
    }
  }
}

export function liveNarrative(db: Db, id: number) {
  return db.selectFrom('narratives').select('id').where('id', '=', id).where('deleted_at', 'is', null)
}

function selectRuns(db: Db) {
  return db
    .selectFrom('vectorization_runs')
    .select([
      'id',
      'narrative_id',
      'platforms',
      'content_types',
      'model',
      'status',
      'runner',
      'stories_count',
      'done_count',
      'error',
      personReference('created_by', 'created_by_name').as('created_by'),
      iso('execution_date'),
      iso('created_at'),
      iso('started_at'),
      iso('finished_at'),
    ])
}

function iso<Column extends 'execution_date' | 'created_at' | 'started_at' | 'finished_at'>(column: Column) {
  return isoTime(sql.ref(column)).$castTo<Run[Column]>().as(column)
}

export async function modelFor(db: Db, { models }: Pick<Embeddings, 'models'>, { workspace_id }: Actor) {
  const { config, values } = await db
    .selectFrom('website_config')
    .innerJoin('workspaces', (join) => join.on('workspaces.id', '=', workspace_id))
    .select([workspaceConfig.as('config'), websiteConfigValues])
    .executeTakeFirstOrThrow()
  const fallback = values.default_stories_vectors_model
  const model = [config.stories_vectors_model, fallback].find((name) => name && models.includes(name))
  if (model) return model
  const missing = fallback
    ? `The model ${fallback} cannot run on this server. Choose another`
    : 'No model is chosen. Choose one'
  throw conflict(`${missing} as default_stories_vectors_model in the website config.`)
}
