import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/** The choices that a workspace form offers. */
export const Choices = z.array(z.string())
/** Label to value. */
export const VectorizationModels = z.record(z.string(), z.string())

function choices<const Name extends string>(name: Name, summary: string) {
  return {
    method: 'GET',
    url: `/api/v1/config/${name}`,
    config: { access: 'super_admin' },
    schema: { summary, response: { 200: Choices } },
  } satisfies Endpoint
}

export const availableRoles = choices('available_roles', 'The roles that a new workspace starts with')
export const allRoles = choices('all_roles', 'All roles')
export const allFeatureflags = choices('all_featureflags', 'All feature flags')
export const caseTypes = choices('case_types', 'All case types')

export const vectorizationModels = {
  method: 'GET',
  url: '/api/v1/config/vectorization_models',
  config: { access: 'super_admin' },
  schema: { summary: 'The models that can vectorize stories, by label', response: { 200: VectorizationModels } },
} satisfies Endpoint
