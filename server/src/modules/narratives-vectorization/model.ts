import type { Actor } from '../../actor.ts'
import type { Embeddings } from '../../adapters/embeddings/embeddings.ts'
import type { Db } from '../../db/open.ts'
import { websiteConfigValues, workspaceConfig } from '../../db/settings.ts'
import { conflict } from '../../problem.ts'

/** The model of the caller's workspace if it is available, otherwise the default of the website config. */
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
