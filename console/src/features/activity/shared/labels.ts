import type { AuditEntity } from '@watchdesk/contract/activity'
import type { SignInMethod } from '@watchdesk/contract/auth/session'
import { SETTING_LABELS } from '@watchdesk/contract/workspace-settings'
import { countryName } from '../../../ui/display/country-name.ts'
import { type FieldTexts, labelFromName, type NameOf, plainValue } from '../../../ui/display/plain-value.ts'
import { METHODS } from '../../auth/shared/methods.ts'
import { USER_FIELDS } from '../../users/shared/labels.ts'
import { RECORDS, recordOf } from './records.ts'

/** Changes of many records have the fields of their form. */
const BULK_FORMS: Partial<Record<AuditEntity, FieldTexts | undefined>> = {
  users: RECORDS.user.fields,
  workspaces: RECORDS.workspace.fields,
}

function formOf(entity: AuditEntity) {
  return recordOf(entity)?.fields ?? BULK_FORMS[entity]
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
  const form = formOf(entity)
  if (form) return form.labelOf(path)
  return OTHERS[path] ?? labelFromName(path.replace(/_count$/, ''))
}

export function bulkSentenceOf(entity: AuditEntity, path: string, value: string) {
  return formOf(entity)?.bulkSentence?.(path, value)
}

/** The value of a changed field as text, as in its form. */
export function showValue(entity: AuditEntity, path: string, value: unknown, nameOf?: NameOf) {
  const form = formOf(entity)
  if (form) return form.showValue(path, value, nameOf)
  if (typeof value === 'string' && path === 'method') return METHODS[value as SignInMethod] ?? value
  if (typeof value === 'string' && path === 'country') return countryName(value)
  if (typeof value === 'string' && path === 'origin_kind') return labelFromName(value)
  return plainValue(value)
}

/** In the order of the forms, and the counts of an import from the whole to its parts. */
const ORDER = [
  ...USER_FIELDS,
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
