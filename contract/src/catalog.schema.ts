import { z } from 'zod'

/** The choices offered by the workspace form. */
const Choices = z.array(z.string()).describe('The names, in the order of the catalog')
/** Label to value. */
const VectorizationModels = z
  .record(z.string(), z.string())
  .meta({ description: 'The name of each model, by its label', examples: [{ 'Lexical (built in)': 'lexical' }] })

export const availableRoles = { summary: 'List the default roles of a new workspace', response: { 200: Choices } }
export const allRoles = { summary: 'List all roles', response: { 200: Choices } }
export const allFeatureflags = { summary: 'List all feature flags', response: { 200: Choices } }
export const caseTypes = { summary: 'List all case types', response: { 200: Choices } }
export const vectorizationModels = {
  summary: 'List the vectorization models by label',
  response: { 200: VectorizationModels },
}

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

export const lifeCycle = { summary: 'Read what happens to workspaces automatically', response: { 200: LifeCycle } }
