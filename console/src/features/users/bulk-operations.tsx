import type { UsersChange } from '@watchdesk/contract/operations/changes'
import { type BulkOperation, DELETE_NOTE, UNDO_NOTE } from '../operations/shared/bulk-operation.ts'
import { type Changed, ChangeFields, fieldNames, MoveFields, NOTHING_CHOSEN, WorkspaceName } from './bulk-fields.tsx'

export const move: BulkOperation<UsersChange, number | null> = {
  title: 'Move users to another workspace',
  initial: null,
  Fields: MoveFields,
  problemOf: (workspace_id) => (workspace_id === null ? 'Choose a workspace.' : undefined),
  wanted: (workspace_id) => ({ action: 'update', ...(workspace_id !== null && { set: { workspace_id } }) }),
  will: (workspace_id) => (
    <>
      will move to <WorkspaceName id={workspace_id} />
    </>
  ),
  verb: 'Move',
  note: UNDO_NOTE,
}

export const update: BulkOperation<UsersChange, Changed> = {
  title: 'Change users',
  initial: {},
  Fields: ChangeFields,
  problemOf: (set) => (Object.keys(set).length === 0 ? NOTHING_CHOSEN : undefined),
  wanted: (set) => ({ action: 'update', set }),
  will: (_, __, fields) => `will get a new ${fieldNames(fields)}`,
  verb: 'Change',
  note: UNDO_NOTE,
}

export const endSessions: BulkOperation<UsersChange> = {
  title: 'Sign out users',
  initial: undefined,
  wanted: () => ({ action: 'end_sessions' }),
  will: () => 'will be signed out, and can sign in again',
  nothing: 'There are no open sessions.',
  unchanged: 'not signed in',
  verb: 'Sign out',
}

export const unlock: BulkOperation<UsersChange> = {
  title: 'Unlock users',
  initial: undefined,
  wanted: () => ({ action: 'unlock' }),
  will: () => 'will be unlocked, and can sign in again',
  unchanged: 'not locked',
  verb: 'Unlock',
}

export const remove: BulkOperation<UsersChange> = {
  title: 'Delete users?',
  initial: undefined,
  wanted: () => ({ action: 'delete' }),
  will: () => 'will lose access immediately',
  verb: 'Delete',
  note: DELETE_NOTE,
  isDanger: true,
}
