import { type Env, StartError } from '../../env.ts'
import { LEXICAL_MODEL } from './lexical.ts'
import { createOpenai, EmbeddingsError, type EmbedOptions } from './openai.ts'
import { createThread } from './thread.ts'

export type Embeddings = ReturnType<typeof createEmbeddings>

type Settings = Pick<Env, 'EMBEDDINGS_URL' | 'EMBEDDINGS_API_KEY' | 'EMBEDDINGS_MODELS'>

const LEXICAL_BATCH = 500

/** Turns texts into vectors, with the built-in model, and the models of EMBEDDINGS_URL if it is set. */
export function createEmbeddings(env: Settings) {
  const remote = remoteModels(env)
  const openai = createOpenai({ url: env.EMBEDDINGS_URL ?? '', key: env.EMBEDDINGS_API_KEY })
  const thread = createThread()
  return {
    models: [LEXICAL_MODEL, ...remote],
    batchSize: (model: string) => (model === LEXICAL_MODEL ? LEXICAL_BATCH : openai.batchSize),
    /** One vector of length 1 for each text, in their order. Throws an `EmbeddingsError`. */
    async embed(model: string, texts: string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
      if (model === LEXICAL_MODEL) return thread.vectors(texts)
      if (remote.includes(model)) return openai.embed(model, texts, options)
      throw new EmbeddingsError(`The model ${model} is no longer available on this server.`)
    },
    close: thread.close,
  }
}

function remoteModels({ EMBEDDINGS_URL, EMBEDDINGS_MODELS }: Settings) {
  if (EMBEDDINGS_URL === undefined && EMBEDDINGS_MODELS === undefined) return []
  if (EMBEDDINGS_URL === undefined) throw bad('EMBEDDINGS_URL: must be set when EMBEDDINGS_MODELS is set')
  if (EMBEDDINGS_MODELS === undefined) throw bad('EMBEDDINGS_MODELS: must list the models of EMBEDDINGS_URL')
  const models = EMBEDDINGS_MODELS.split(',').map((name) => name.trim())
  if (models.some((name) => name === '' || name.length > 200) || new Set(models).size < models.length) {
    throw bad('EMBEDDINGS_MODELS: must be different names, separated by commas')
  }
  if (models.includes(LEXICAL_MODEL)) {
    throw bad(`EMBEDDINGS_MODELS: ${LEXICAL_MODEL} is the name of the built-in model`)
  }
  return models
}

function bad(what: string) {
  return new StartError(`Bad setting. ${what}`)
}
