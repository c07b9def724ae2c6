import type { WorkspaceStatus } from '@watchdesk/contract/enums'

// Keys, so that the compiler misses none.
const STATUS: Record<WorkspaceStatus, true> = {
  INTERNAL: true,
  DEACTIVATED: true,
  TRIAL: true,
  FREE_ACCESS: true,
  PAID_CLIENT: true,
  PAID_CLIENT_UCBI: true,
  PAID_CLIENT_I3: true,
}

export const STATUSES = Object.keys(STATUS)

/** Every field of the form by its path, as a conflict names it. */
export const LABELS = {
  name: 'Name',
  description: 'Description',
  status: 'Status',
  trial_end_date: 'Trial end date',
  'analytical_quota.balance': 'Analytical quota balance',
  'analytical_quota.limit': 'Analytical quota limit',
  'analytical_quota.renewal_date': 'Analytical quota next renewal date',
  'ai_quota.balance': 'AI quota balance',
  'ai_quota.limit': 'AI quota limit',
  'ai_quota.renewal_date': 'AI quota next renewal date',
  featureflags: 'Feature flags',
  roles: 'Roles',
  available_case_types: 'Available case types',
  powerbi_dashboards: 'PowerBI dashboards',
  search_term_index_override: 'Search term index override',
  vectorized_index_override: 'Vectorized index override',
  stories_vectors_model: 'Stories vectors model',
  homepage: 'Homepage',
  search_similarity_threshold: 'Search similarity threshold',
  narratives_similarity_threshold: 'Narratives similarity threshold',
  keywords_parser_class: 'Keywords parser class',
  language: 'Language code',
  is_ucbi_admin: 'UCBI admin',
  is_ucbi_reporter: 'UCBI reporter',
  is_reporter_only_user: 'Reporter-only user',
}
