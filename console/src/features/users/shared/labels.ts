import { choiceText, isUserChoice, USER_CHOICE_NAMES, USER_CHOICES } from '@watchdesk/contract/users'
import { type BulkSentence, labelFromName, type NameOf, plainValue } from '../../../ui/display/plain-value.ts'

/** In the order in which changes are shown. */
const LABELS: Record<string, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  password: 'Password',
  workspace_id: 'Workspace',
  ...Object.fromEntries(USER_CHOICE_NAMES.map((field) => [field, USER_CHOICES[field].label])),
  is_admin: 'Workspace admin',
  is_super_admin: 'Super admin',
  is_auditor: 'Auditor',
}

export const USER_FIELDS = Object.keys(LABELS)

/** What was set of many users, before and after their number. */
export function bulkSentence(path: string): BulkSentence | undefined {
  return path === 'workspace_id' ? ['moved ', ' to another workspace'] : undefined
}

/** The label of a field of a user. */
export function labelOf(path: string) {
  return LABELS[path] ?? labelFromName(path)
}

/** A value of a field as text. `nameOf` finds the names of workspaces. */
export function showValue(path: string, value: unknown, nameOf?: NameOf) {
  if (path === 'workspace_id' && value) return nameOf?.(path, value) ?? `Workspace ${value}`
  return plainValue(isUserChoice(path) ? choiceText(path, String(value ?? '')) : value)
}
