import type * as schema from './activity.schema.ts'
import { get, post } from './endpoint.ts'
import { TABLE_FILE } from './file-types.ts'
import { OPERATION_ACTIONS, OPERATION_VERBS } from './operations/kinds.ts'

export type * from './activity.schema.ts'

export const EVENT_FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
} as const

/** What happens to how a user signs in. The id of the event is that of the user. */
export const SIGN_IN_ENTITIES = [
  'session',
  'token',
  'authenticator',
  'passkey',
  'recovery_codes',
  'second_factor',
  'sso_account',
  'link',
] as const

export const AUDIT_ACTIONS = {
  create: 'Created',
  update: 'Changed',
  put_back: 'Put back',
  renew: 'Renewed',
  delete: 'Deleted',
  restore: 'Restored',
  remove: 'Deleted for good',
  purge: 'Removed automatically',
  login: 'Signed in',
  login_failed: 'Failed to sign in',
  logout: 'Signed out',
  unlock: 'Unlocked',
  end_sessions: 'Sessions ended',
  expire: 'Expired',
  use: 'Used',
  reset: 'Reset',
  ...OPERATION_ACTIONS,
  download: 'Downloaded',
  denied: 'Rejected',
} as const

/** In a sentence, if it is not the label. */
export const AUDIT_VERBS: Partial<Record<schema.AuditAction, string>> = {
  remove: 'deleted',
  purge: 'removed',
  end_sessions: 'signed out',
  ...OPERATION_VERBS,
}

/** Shorter ones cannot use the index, and would read millions of events. */
export function isSearchable(text: string) {
  return /[\p{L}\p{N}]{3}/u.test(text)
}

export const SEARCH_TOO_SHORT = 'Enter at least three letters or digits to search.'

export const listAuditEvents = get<typeof schema.listAuditEvents>('/audit/', 'workspace_admin', { is_polled: true })

export const countNewEvents = get<typeof schema.countNewEvents>('/audit/new', 'workspace_admin', { is_polled: true })

export const downloadAuditEvents = get<typeof schema.downloadAuditEvents>('/audit/file', 'workspace_admin', {
  ...TABLE_FILE,
  response_types: Object.values(EVENT_FILE_TYPES),
})

export const getAuditEvent = get<typeof schema.getAuditEvent>('/audit/:id', 'workspace_admin')

export const previewPutBack = get<typeof schema.previewPutBack>('/audit/:id/record', 'workspace_admin', {
  may_conflict: true,
})

export const putBack = post<typeof schema.putBack>('/audit/:id/put_back', 'workspace_admin')
