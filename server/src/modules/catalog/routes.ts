import * as contract from '@watchdesk/contract/catalog'
import * as schemas from '@watchdesk/contract/catalog.schema'
import type { Deps } from '../../deps.ts'
import { type App, withSchemas } from '../../plugins/contract.ts'

const api = withSchemas(contract, schemas)

export function catalogRoutes(app: App, { catalog, env }: Deps) {
  app.route({ ...api.availableRoles, handler: async () => catalog.available_roles })
  app.route({ ...api.allRoles, handler: async () => catalog.all_roles })
  app.route({ ...api.allFeatureflags, handler: async () => catalog.all_featureflags })
  app.route({ ...api.caseTypes, handler: async () => catalog.case_types })
  app.route({
    ...api.lifeCycle,
    handler: async () => ({ trial_end: env.TRIAL_END, quota_renewal: env.QUOTA_RENEWAL }),
  })
  app.route({ ...api.vectorizationModels, handler: async () => catalog.vectorization_models })
}
