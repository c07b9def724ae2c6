import { type Env, StartError } from '../../env.ts'
import { LEXICAL_MODEL, lexicalVector } from './lexical.ts'
import { type Similarities, similarities } from './similarities.ts'

/** What turns texts into vectors, whichever model does it. */
export type Embeddings = {
  /** The models that can run with the present settings. */
  models: readonly string[]
  /** One vector of length 1 for each text, in their order. Throws an `EmbeddingsError`. */
  embed(model: string, texts: string[]): Promise<Float32Array[]>
  /** How similar a vector is to each of those in a binary copy of ids and `real[]`. */
  similarities(vector: Float32Array, copy: Uint8Array): Promise<Similarities>
}

/** A failure of a model, in words for people. */
export class EmbeddingsError extends Error {}

export type EmbeddingsSettings = Pick<Env, 'EMBEDDINGS_URL' | 'EMBEDDINGS_API_KEY' | 'EMBEDDINGS_MODELS'>

/** The built-in model, and those of a server where the settings name one. */
export function createEmbeddings(env: EmbeddingsSettings): Embeddings {
  const remote = remoteModels(env)
  return {
    models: [LEXICAL_MODEL, ...remote],
    async embed(model, texts) {
      if (model === LEXICAL_MODEL) return texts.map(lexicalVector)
      throw new EmbeddingsError(`The model ${model} cannot run on this server.`)
    },
    similarities: async (vector, copy) => similarities(vector, copy),
  }
}

function remoteModels({ EMBEDDINGS_URL, EMBEDDINGS_MODELS }: EmbeddingsSettings) {
  const models = (EMBEDDINGS_MODELS ?? '').split(',').map((name) => name.trim())
  if (EMBEDDINGS_MODELS === undefined) {
    if (EMBEDDINGS_URL === undefined) return []
    throw new StartError('Bad setting. EMBEDDINGS_MODELS: must name the models of EMBEDDINGS_URL')
  }
  if (EMBEDDINGS_URL === undefined) {
    throw new StartError('Bad setting. EMBEDDINGS_URL: must be set where EMBEDDINGS_MODELS names models')
  }
  if (models.some((name) => name === '' || name.length > 200) || new Set(models).size < models.length) {
    throw new StartError('Bad setting. EMBEDDINGS_MODELS: must be different names, separated by commas')
  }
  if (models.includes(LEXICAL_MODEL)) {
    throw new StartError(`Bad setting. EMBEDDINGS_MODELS: ${LEXICAL_MODEL} is the name of the built-in model`)
  }
  return models
}
