import { getUserAccess, type UserAccess } from '@watchdesk/contract/user-access'
import { createUser, getUser, listUsers, type User, updateUser } from '@watchdesk/contract/users'
import { getWorkspace, listWorkspaces, type Workspace } from '@watchdesk/contract/workspaces'
import type { Backend } from './backend.ts'
import { aUser, aWorkspace } from './records.ts'
import { answerList } from './test.ts'

export const ATLAS = aWorkspace({ id: 1, name: 'Atlas' })
export const VISTULA = aWorkspace({ id: 2, name: 'Vistula' })
export const PASSWORD = 'quiet river stone'

/** How a user signs in who has a password, and is not signed in. */
function anAccess(fields: Partial<UserAccess> = {}): UserAccess {
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
