import { z } from 'zod'
import { resultOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'

const Choices = z.array(z.string()).describe('The names, in the order of the catalog')
const VectorizationModels = field.about(z.record(z.string(), z.string()), 'The name of each model, by its label', {
  'Lexical (built in)': 'lexical',
})

export const availableRoles = resultOf('List the default roles of a new workspace', Choices)
export const allRoles = resultOf('List all roles', Choices)
export const allFeatureflags = resultOf('List all feature flags', Choices)
export const caseTypes = resultOf('List all case types', Choices)
export const vectorizationModels = resultOf('List the vectorization models by label', VectorizationModels)

export const LifeCycle = field.object('What the server does automatically', {
  trial_end: z
    .enum(['show', 'deactivate'])
    .describe('What the server does with a workspace whose trial has ended: only show that, or deactivate it'),
  quota_renewal: z
    .enum(['monthly', 'off'])
    .describe('Whether the server renews each quota on its renewal date, and then every month'),
})
export type LifeCycle = z.infer<typeof LifeCycle>

export const lifeCycle = resultOf('Read what happens to workspaces automatically', LifeCycle)
