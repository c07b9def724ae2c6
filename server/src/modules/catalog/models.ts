import { LEXICAL_MODEL } from '../../adapters/embeddings/lexical.ts'
import type { Catalog } from './catalog.ts'

/**
 * The catalog with exactly the models that can run: those it labels, and under their own names those of the embeddings
 * server that it does not. A catalog may leave the built-in model out; what it labels and nothing can run is not offered.
 */
export function withRunnableModels(catalog: Catalog, runnable: readonly string[]): Catalog {
  const labelled = Object.entries(catalog.vectorization_models).filter(([, model]) => runnable.includes(model))
  const known = [LEXICAL_MODEL, ...labelled.map(([, model]) => model)]
  const unlabelled = runnable.filter((model) => !known.includes(model)).map((model) => [model, model])
  return { ...catalog, vectorization_models: Object.fromEntries([...labelled, ...unlabelled]) }
}
