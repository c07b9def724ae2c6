import type * as schema from './catalog.schema.ts'
import { get } from './endpoint.ts'

export type * from './catalog.schema.ts'

export const availableRoles = get<typeof schema.availableRoles>('/api/v1/config/available_roles', 'super_admin')
export const allRoles = get<typeof schema.allRoles>('/api/v1/config/all_roles', 'super_admin')
export const allFeatureflags = get<typeof schema.allFeatureflags>('/api/v1/config/all_featureflags', 'super_admin')
export const caseTypes = get<typeof schema.caseTypes>('/api/v1/config/case_types', 'super_admin')
export const lifeCycle = get<typeof schema.lifeCycle>('/api/v1/config/life_cycle', 'super_admin')

export const vectorizationModels = get<typeof schema.vectorizationModels>(
  '/api/v1/config/vectorization_models',
  'super_admin',
)
