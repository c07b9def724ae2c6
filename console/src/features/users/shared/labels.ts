import type { User } from '@watchdesk/contract/users'
import { type BulkSentence, labelFromName, type NameOf, plainValue } from '../../../ui/display/plain-value.ts'
import { LANGUAGE_LABELS } from '../values.ts'

const LABELS: Record<string, string> = {
  workspace_id: 'Workspace',
  type: 'Type',
  language: 'Language',
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  password: 'Password',
  is_admin: 'Workspace admin',
  is_super_admin: 'Super admin',
  is_auditor: 'Auditor',
}

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
  if (path === 'language') return LANGUAGE_LABELS[(value ?? '') as User['language']] ?? plainValue(value)
  return plainValue(value)
}
