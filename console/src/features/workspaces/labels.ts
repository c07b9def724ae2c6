import { SETTING_LABELS } from '@watchdesk/contract/workspace-settings'

/** What DEACTIVATED does. */
export const DEACTIVATED_TEXT =
  'Its users cannot sign in, and their sessions end at once. Its data is kept, and another status lets them in again.'

/** The label of every field by its path, for the conflict dialog. */
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
