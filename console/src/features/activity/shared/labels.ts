import type { AuditEntity } from '@watchdesk/contract/activity'
import type { SignInMethod } from '@watchdesk/contract/auth/session'
import { SETTING_LABELS } from '@watchdesk/contract/workspace-settings'
import { countryName } from '../../../ui/display/country-name.ts'
import { type FieldTexts, labelFromName, type NameOf, plainValue } from '../../../ui/display/plain-value.ts'
import { METHODS } from '../../auth/shared/methods.ts'
import * as dashboards from '../../dashboards/shared/labels.ts'
import * as sources from '../../sources/shared/labels.ts'
import * as users from '../../users/shared/labels.ts'
import * as websiteConfig from '../../website-config/shared/labels.ts'
import * as workspaces from '../../workspaces/shared/labels.ts'

const FORMS: Partial<Record<AuditEntity, FieldTexts>> = {
  user: users,
  workspace: workspaces,
  dashboard: dashboards,
  website_config: websiteConfig,
  source: sources,
  users,
  workspaces,
}

/** Fields that no form has. */
const OTHERS: Record<string, string> = {
  users: 'Users',
  inputs_count: 'Rows in the file',
  created_sheet_url: 'Sheet with the rows',
  sheet_url: 'Sheet with the rows',
  call: 'Call',
  method: 'Signed in with',
  issuer: 'Provider',
  is_read_only: 'Read only',
  days: 'Days',
  left: 'Codes left',
  status: 'Status',
  row_count: 'Rows',
  header: 'Columns',
  origin_kind: 'What it was',
  is_redo: 'Redo',
  changed_count: 'Changed',
}

/** Changes of many records. Their fields are those of the forms, and how they are changed. */
const MANY: AuditEntity[] = ['users', 'workspaces', 'dashboards']

/** The label of a changed field, as in its form. */
export function labelOf(entity: AuditEntity, path: string) {
  if (path === 'users') return 'Users'
  if (MANY.includes(entity) && OTHERS[path] !== undefined && path !== 'status') return OTHERS[path]
  const form = FORMS[entity]
  if (form) return form.labelOf(path)
  return OTHERS[path] ?? labelFromName(path.replace(/_count$/, ''))
}

export function bulkSentenceOf(entity: AuditEntity, path: string, value: string) {
  return FORMS[entity]?.bulkSentence?.(path, value)
}

/** The value of a changed field as text, as in its form. */
export function showValue(entity: AuditEntity, path: string, value: unknown, nameOf?: NameOf) {
  const form = FORMS[entity]
  if (form) return form.showValue(path, value, nameOf)
  if (typeof value === 'string' && path === 'method') return METHODS[value as SignInMethod] ?? value
  if (typeof value === 'string' && path === 'country') return countryName(value)
  if (typeof value === 'string' && path === 'origin_kind') return labelFromName(value)
  return plainValue(value)
}

/** In the order of the forms, and the counts of an import from the whole to its parts. */
const ORDER = [
  ...['first_name', 'last_name', 'email', 'password', 'workspace_id', 'type', 'language'],
  ...['is_admin', 'is_super_admin', 'is_auditor'],
  ...['name', 'description', 'embed_link', 'status', 'trial_end_date', 'analytical_quota', 'ai_quota'],
  ...Object.keys(SETTING_LABELS),
  ...['platform', 'file', 'title', 'format', 'inputs_count', 'requested'],
]

/** The database keeps no order. */
export function inFormOrder(fields: string[]) {
  const place = (field: string) => {
    if (field === 'created_sheet_url' || field === 'sheet_url') return ORDER.length + 1
    return ORDER.includes(field) ? ORDER.indexOf(field) : ORDER.length
  }
  return fields.toSorted((a, b) => place(a) - place(b) || a.localeCompare(b))
}
