import { readFile } from 'node:fs/promises'
import { parseJson } from '@watchdesk/contract/json'
import { z } from 'zod'
import { LEXICAL_MODEL } from '../../adapters/embeddings/lexical.ts'
import { StartError } from '../../env.ts'

const SHIPPED = new URL('../../../catalog.json', import.meta.url)

const names = z.array(z.string().min(1))

const Catalog = z
  .strictObject({
    all_roles: names,
    available_roles: names,
    all_featureflags: names,
    case_types: names,
    default_case_types: names,
    vectorization_models: z.record(z.string(), z.string().min(1)),
    default_stories_vectors_model: z.string(),
  })
  .refine(
    (catalog) => isWithin(catalog.available_roles, catalog.all_roles),
    'available_roles contains a role that is not in all_roles',
  )
  .refine(
    (catalog) => isWithin(catalog.default_case_types, catalog.case_types),
    'default_case_types contains a case type that is not in case_types',
  )
  .refine(
    (catalog) => isWithin([catalog.default_stories_vectors_model], Object.values(catalog.vectorization_models)),
    'default_stories_vectors_model is not among vectorization_models',
  )

export type Catalog = z.infer<typeof Catalog>

function isWithin(part: string[], whole: string[]) {
  return part.every((name) => whole.includes(name))
}

/** The choices offered by the workspace form: the built-in catalog or the operator's file. */
export async function readCatalog(file: string | undefined): Promise<Catalog> {
  const text = await readFile(file ?? SHIPPED, 'utf8').catch((error: Error) => {
    throw new StartError(`CATALOG_FILE: cannot be read (${error.message})`)
  })
  const json = parseJson(text)
  if (json === undefined) throw new StartError('CATALOG_FILE: is not valid JSON')
  const parsed = Catalog.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new StartError(`CATALOG_FILE: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}`)
}

/** Offers the models that can run, those of the embeddings server without a label under their own names. */
export function withRunnableModels(catalog: Catalog, runnable: readonly string[]): Catalog {
  const labelled = Object.entries(catalog.vectorization_models).filter(([, model]) => runnable.includes(model))
  // A catalog may leave out the built-in model.
  const known = [LEXICAL_MODEL, ...labelled.map(([, model]) => model)]
  const unlabelled = runnable.filter((model) => !known.includes(model)).map((model) => [model, model])
  return { ...catalog, vectorization_models: Object.fromEntries([...labelled, ...unlabelled]) }
}
