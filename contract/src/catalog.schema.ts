import { z } from 'zod'

/** The choices that a workspace form offers. */
const Choices = z.array(z.string())
/** Label to value. */
const VectorizationModels = z.record(z.string(), z.string())

export const availableRoles = { summary: 'The roles that a new workspace starts with', response: { 200: Choices } }
export const allRoles = { summary: 'All roles', response: { 200: Choices } }
export const allFeatureflags = { summary: 'All feature flags', response: { 200: Choices } }
export const caseTypes = { summary: 'All case types', response: { 200: Choices } }
export const vectorizationModels = {
  summary: 'The models that can vectorize stories, by label',
  response: { 200: VectorizationModels },
}
