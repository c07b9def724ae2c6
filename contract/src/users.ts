import { del, get, getList, patch, post } from './endpoint.ts'
import { USER_TYPES } from './enums.ts'
import { TABLE_FILE } from './file-types.ts'
import { keysOf, type ListOptions, unlabeled } from './list.ts'
import type * as schema from './users.schema.ts'

export type * from './users.schema.ts'

/** Defaults for a new user. Not zod defaults, which would also apply to a PATCH. */
export const USER_DEFAULTS = { is_admin: false, is_super_admin: false, type: 'STANDARD', language: '' } as const

/** Forms, filters, files, changes of many users, imports and what the activity says follow from this. */
export const USER_CHOICES = {
  type: { label: 'Type', options: unlabeled(USER_TYPES) },
  language: {
    label: 'Language',
    options: { '': 'Detect automatically', EN: 'English', UK: 'Ukrainian' },
    empty: { inLists: 'Auto', inSentences: 'automatic' },
  },
} as const satisfies Record<string, Choice>

type Choice = {
  label: string
  options: Readonly<Record<string, string>>
  /** What the empty value is called outside forms. */
  empty?: { inLists: string; inSentences: string }
}

export type UserChoice = keyof typeof USER_CHOICES
export const USER_CHOICE_NAMES = keysOf(USER_CHOICES)

export function isUserChoice(field: string): field is UserChoice {
  return Object.hasOwn(USER_CHOICES, field)
}

/** The label of a value. One that is not known is shown as it is. */
export function choiceText(field: UserChoice, value: string, place?: 'inLists' | 'inSentences') {
  const { options, empty }: Choice = USER_CHOICES[field]
  return (value === '' && place && empty?.[place]) || (options[value] ?? value)
}

export const userList = {
  search: 'Search name or email',
  sorts: ['id', 'full_name', 'email'],
  byWorkspace: true,
  filters: {
    role: {
      label: 'Role',
      placeholder: 'All roles',
      options: { super_admin: 'Super admin', admin: 'Workspace admin', auditor: 'Auditor', none: 'No admin rights' },
    },
    type: { label: 'Type', placeholder: 'All types', options: unlabeled(USER_TYPES) },
    language: {
      label: 'Language',
      placeholder: 'All languages',
      options: { EN: 'English', UK: 'Ukrainian', auto: 'Auto' },
    },
    sign_in: { label: 'Sign-in', placeholder: 'All', options: { never: 'Never signed in' } },
    locked: { label: 'Locked', placeholder: 'All', options: { yes: 'Locked' } },
  },
  values: {
    signed_in_from: { label: 'Last sign-in from', kind: 'day' },
    signed_in_to: { label: 'Last sign-in until', kind: 'day' },
  },
  include: ['last_sign_in_at'],
  columns: ['id', 'workspace', 'full_name', 'email', 'roles', 'type', 'language'],
  moreColumns: ['last_sign_in_at'],
} as const satisfies ListOptions

export const listUsers = getList<typeof schema.listUsers>('/users/', 'workspace_admin', userList)

export const downloadUsers = get<typeof schema.downloadUsers>('/users/file', 'workspace_admin', TABLE_FILE)

export const getUser = get<typeof schema.getUser>('/users/:id', 'workspace_admin')

export const createUser = post<typeof schema.createUser>('/users/', 'workspace_admin', {
  is_expensive: 'with_password',
})

export const updateUser = patch<typeof schema.updateUser>('/users/:id', 'workspace_admin', {
  is_expensive: 'with_password',
})

export const deleteUser = del<typeof schema.deleteUser>('/users/:id', 'workspace_admin')
export const restoreUser = post<typeof schema.restoreUser>('/users/:id/restore', 'workspace_admin')
export const unlockUser = post<typeof schema.unlockUser>('/users/:id/unlock', 'workspace_admin')

export const inviteUser = post<typeof schema.inviteUser>('/users/:id/invite', 'workspace_admin', { is_expensive: true })
