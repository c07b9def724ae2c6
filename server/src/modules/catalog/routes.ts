import * as contract from '@watchdesk/contract/catalog'
import * as schemas from '@watchdesk/contract/catalog.schema'
import type { Deps } from '../../deps.ts'
import { type App, addRoutes } from '../../plugins/contract.ts'

export function catalogRoutes(app: App, { catalog, env }: Deps) {
  addRoutes(app, contract, schemas, {
    availableRoles: async () => catalog.available_roles,
    allRoles: async () => catalog.all_roles,
    allFeatureflags: async () => catalog.all_featureflags,
    caseTypes: async () => catalog.case_types,
    lifeCycle: async () => ({ trial_end: env.TRIAL_END, quota_renewal: env.QUOTA_RENEWAL }),
    vectorizationModels: async () => catalog.vectorization_models,
  })
}
