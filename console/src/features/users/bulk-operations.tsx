import type { UsersChange } from '@watchdesk/contract/operations/changes'
import type { User, UserFilter } from '@watchdesk/contract/users'
import { type BulkOperation, DELETE_NOTE, UNDO_NOTE } from '../operations/shared/bulk-operation.ts'
import { type BarProps, ChangeBar } from '../operations/shared/change-bar.tsx'
import { users } from '../operations/shared/change-queries.ts'
import { type Changed, ChangeFields, fieldNames, MoveFields, NOTHING_CHOSEN, WorkspaceName } from './bulk-fields.tsx'

const move: BulkOperation<UsersChange, number | null> = {
  label: 'Move to workspace',
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

const update: BulkOperation<UsersChange, Changed> = {
  label: 'Change',
  title: 'Change users',
  initial: {},
  Fields: ChangeFields,
  problemOf: (set) => (Object.keys(set).length === 0 ? NOTHING_CHOSEN : undefined),
  wanted: (set) => ({ action: 'update', set }),
  will: (_, __, fields) => `will get a new ${fieldNames(fields)}`,
  verb: 'Change',
  note: UNDO_NOTE,
}

const endSessions: BulkOperation<UsersChange> = {
  label: 'Sign out',
  title: 'Sign out users',
  initial: undefined,
  wanted: () => ({ action: 'end_sessions' }),
  will: () => 'will be signed out, and can sign in again',
  nothing: 'There are no open sessions.',
  unchanged: 'not signed in',
  verb: 'Sign out',
}

const unlock: BulkOperation<UsersChange> = {
  label: 'Unlock',
  title: 'Unlock users',
  initial: undefined,
  wanted: () => ({ action: 'unlock' }),
  will: () => 'will be unlocked, and can sign in again',
  unchanged: 'not locked',
  verb: 'Unlock',
}

const remove: BulkOperation<UsersChange> = {
  label: 'Delete',
  title: 'Delete users?',
  initial: undefined,
  wanted: () => ({ action: 'delete' }),
  will: () => 'will lose access immediately',
  verb: 'Delete',
  note: DELETE_NOTE,
  isDanger: true,
}

const OPERATIONS = [move, update, endSessions, unlock, remove]

/** What can be done with the selected users. */
export function UsersBar(props: BarProps<User, UserFilter>) {
  return <ChangeBar {...props} records={users} operations={OPERATIONS} />
}
