import { SETTING_LABELS } from '@watchdesk/contract/workspace-settings'

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
  ...SETTING_LABELS,
}
