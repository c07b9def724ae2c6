import { LEXICAL_MODEL } from '../../adapters/embeddings/lexical.ts'
import type { Catalog } from './catalog.ts'

/**
 * Limits the models of the catalog to those that can run, and adds the models of the embeddings server that the catalog
 * does not label, under their own names. A catalog may leave out the built-in model.
 */
export function withRunnableModels(catalog: Catalog, runnable: readonly string[]): Catalog {
  const labelled = Object.entries(catalog.vectorization_models).filter(([, model]) => runnable.includes(model))
  const known = [LEXICAL_MODEL, ...labelled.map(([, model]) => model)]
  const unlabelled = runnable.filter((model) => !known.includes(model)).map((model) => [model, model])
  return { ...catalog, vectorization_models: Object.fromEntries([...labelled, ...unlabelled]) }
}
