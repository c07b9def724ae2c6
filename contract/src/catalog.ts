import type * as schema from './catalog.schema.ts'
import type { Endpoint } from './endpoint.ts'

export type { LifeCycle } from './catalog.schema.ts'

export const availableRoles: Endpoint<typeof schema.availableRoles> = {
  method: 'GET',
  url: '/api/v1/config/available_roles',
  config: { access: 'super_admin' },
}

export const allRoles: Endpoint<typeof schema.allRoles> = {
  method: 'GET',
  url: '/api/v1/config/all_roles',
  config: { access: 'super_admin' },
}

export const allFeatureflags: Endpoint<typeof schema.allFeatureflags> = {
  method: 'GET',
  url: '/api/v1/config/all_featureflags',
  config: { access: 'super_admin' },
}

export const caseTypes: Endpoint<typeof schema.caseTypes> = {
  method: 'GET',
  url: '/api/v1/config/case_types',
  config: { access: 'super_admin' },
}

export const lifeCycle: Endpoint<typeof schema.lifeCycle> = {
  method: 'GET',
  url: '/api/v1/config/life_cycle',
  config: { access: 'super_admin' },
}

export const vectorizationModels: Endpoint<typeof schema.vectorizationModels> = {
  method: 'GET',
  url: '/api/v1/config/vectorization_models',
  config: { access: 'super_admin' },
}
