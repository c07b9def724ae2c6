import type * as schema from './catalog.schema.ts'
import { get } from './endpoint.ts'

export type * from './catalog.schema.ts'

export const availableRoles = get<typeof schema.availableRoles>('/config/available_roles', 'super_admin')
export const allRoles = get<typeof schema.allRoles>('/config/all_roles', 'super_admin')
export const allFeatureflags = get<typeof schema.allFeatureflags>('/config/all_featureflags', 'super_admin')
export const caseTypes = get<typeof schema.caseTypes>('/config/case_types', 'super_admin')
export const lifeCycle = get<typeof schema.lifeCycle>('/config/life_cycle', 'super_admin')

export const vectorizationModels = get<typeof schema.vectorizationModels>('/config/vectorization_models', 'super_admin')
