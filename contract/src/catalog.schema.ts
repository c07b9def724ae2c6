import { z } from 'zod'
import { resultOf } from './fields.schema.ts'

/** The choices offered by the workspace form. */
const Choices = z.array(z.string()).describe('The names, in the order of the catalog')
/** Label to value. */
const VectorizationModels = z
  .record(z.string(), z.string())
  .meta({ description: 'The name of each model, by its label', examples: [{ 'Lexical (built in)': 'lexical' }] })

export const availableRoles = resultOf('List the default roles of a new workspace', Choices)
export const allRoles = resultOf('List all roles', Choices)
export const allFeatureflags = resultOf('List all feature flags', Choices)
export const caseTypes = resultOf('List all case types', Choices)
export const vectorizationModels = resultOf('List the vectorization models by label', VectorizationModels)

export const LifeCycle = z
  .object({
    trial_end: z
      .enum(['show', 'deactivate'])
      .describe('What the server does with a workspace whose trial has ended: only show that, or deactivate it'),
    quota_renewal: z
      .enum(['monthly', 'off'])
      .describe('Whether the server renews each quota on its renewal date, and then every month'),
  })
  .describe('What the server does automatically')
export type LifeCycle = z.infer<typeof LifeCycle>

export const lifeCycle = resultOf('Read what happens to workspaces automatically', LifeCycle)
