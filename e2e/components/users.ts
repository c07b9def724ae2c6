import { getUserAccess, type UserAccess } from '@watchdesk/contract/auth/user-access'
import { getOperation, listOperationRows } from '@watchdesk/contract/operations/operations'
import { readPerson } from '@watchdesk/contract/user-row'
import { createUser, getUser, listUsers, type User, updateUser } from '@watchdesk/contract/users'
import { findUsers, importUsers, type UsersImport } from '@watchdesk/contract/users-import'
import { getWorkspace, listWorkspaces, type Workspace } from '@watchdesk/contract/workspaces'
import { type Backend, Refusal } from './backend.ts'
import { aUser, aWorkspace } from './records.ts'
import { answerList } from './test.ts'

export const ATLAS = aWorkspace({ id: 1, name: 'Atlas' })
export const VISTULA = aWorkspace({ id: 2, name: 'Vistula' })
export const PASSWORD = 'quiet river stone'

/** How a user signs in who has a password, and is not signed in. */
export function anAccess(fields: Partial<UserAccess> = {}): UserAccess {
  return {
    has_password: true,
    invitation_expires_at: null,
    sessions: [],
    tokens: [],
    second_factor: { authenticator: null, passkeys: [], recovery_codes_left: 0 },
    failed_count: 0,
    locked_until: null,
    last_failed_at: null,
    ...fields,
  }
}

/** Answers the users and their workspaces. What the page creates or saves is in the list afterwards. */
export function answerUsers(backend: Backend, users: User[], workspaces: Workspace[] = [ATLAS, VISTULA]) {
  answerList(backend, listUsers, users, getUser)
  answerList(backend, listWorkspaces, workspaces, getWorkspace)
  backend.answer(getUserAccess, anAccess())
  backend.answer(createUser, ({ body: { password: _, invite: __, language, ...fields } }) => {
    const workspace = { name: workspaces.find(({ id }) => id === fields.workspace_id)?.name ?? '' }
    const created = aUser({ id: 100 + users.length, ...fields, language: language ?? '', workspace })
    users.push(created)
    return created
  })
  backend.answer(updateUser, ({ params, body: { password: _, ...fields } }) =>
    Object.assign(users.find(({ id }) => String(id) === params.id) ?? aUser(), fields),
  )
}

/** Answers calls that add many users, after what the test does with each call. Returns the emails of those added. */
export function answerImport(backend: Backend, before: (call: number) => unknown = () => {}) {
  const emails: string[] = []
  backend.answer(findUsers, { objects: [] })
  backend.refuse(getOperation, 404, 'Import not found.')
  backend.refuse(listOperationRows, 404, 'Import not found.')
  backend.answer(importUsers, async ({ body }) => {
    const refused = await before(backend.calls(importUsers).length)
    if (refused instanceof Refusal) return refused
    const rows = body.rows.map((row) => addedRow(row, body.invite))
    emails.push(...rows.filter(({ outcome }) => outcome === 'added').map(({ email }) => email))
    return { import_id: 1, rows, added_count: emails.length }
  })
  return emails
}

/** Rows that the page knows to be wrong have no password. */
function addedRow({ row, password, ...written }: UsersImport['rows'][number], isInvited = false) {
  const { email, first_name, last_name } = readPerson(JSON.parse(JSON.stringify(written)))
  const link = isInvited ? { link: `https://desk.example.com/set_password#${row}` } : {}
  const outcome = isInvited || password ? ('added' as const) : ('invalid email' as const)
  return { row, user_id: row, email, name: `${first_name} ${last_name}`, outcome, reason: null, ...link }
}
